// What the seat to act sees, may do, and is told to do.
import type { Face, Situation } from "../boards/face";
import { lookup, t } from "../language/language.svelte";
import type { LiveMatch } from "./live.svelte";
import { reason, verdict } from "./outcome";

/** What the seat viewed now sees and may do. */
export function situation(live: LiveMatch): Situation {
  const { view, seat, actions, match } = live;
  return { view, seat, actions, options: match?.options ?? {} };
}

/** What to do now in words of the game, or the step of it that is told; for several seats at this screen it says who. */
export function prompt(live: LiveMatch, face: Face, name: (seat: number) => string, step = ""): string {
  const told = step || face.prompt?.(situation(live)) || t("match.yourTurn");
  return (live.match?.mine.length ?? 0) > 1 ? t("match.promptOf", { name: name(live.seat), prompt: told }) : told;
}

/** How the match stands, in a sentence; `step` is what the board says to do next. */
export function status(live: LiveMatch, face: Face, name: (seat: number) => string, step: string): string {
  const { match, outcome, turn } = live;
  if (!match) return "";
  if (outcome) return `${verdict(outcome, match.mine, name)} ${reason(match.game, outcome)}`;
  if (live.myTurn) return prompt(live, face, name, step);
  if (turn === null || turn < 0) return lookup(`dealing.${match.game}`, t("match.chance"));
  const place = live.presence?.seats[turn];
  const away = match.seats[turn]?.kind === "person" && place !== undefined && !place.here;
  return t(away ? "match.awayTurn" : "match.turnOf", { name: name(turn) });
}
