// What the seat to act sees, may do, and is told to do.
import type { Face, Situation } from "../boards/face";
import { t } from "../language/language.svelte";
import type { LiveMatch } from "./live.svelte";

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
