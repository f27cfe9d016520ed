// What happened in a match is heard and said.
import { announce } from "../announce.svelte";
import type { Face } from "../boards/face";
import { t } from "../language/language.svelte";
import { play, type Sound } from "../sound";
import type { LiveMatch } from "./live.svelte";
import { reason, verdict } from "./outcome";

export function tell(live: LiveMatch, face: Face, name: (seat: number) => string): void {
  const { news, match, outcome } = live;
  if (!news || !match) return;
  for (const told of news.events) {
    if (told.event === "acted" && told.line && told.seat !== undefined) {
      announce(face.say(told.line, told.seat, name));
      play(face.sound);
    } else if (told.event === "offered" && told.what && told.seat !== live.seat) {
      announce(t(`offer.${told.what}`, { name: name(told.seat ?? 0) }));
    }
  }
  if (outcome && news.events.some((told) => told.event !== "offered" && told.event !== "rematched")) {
    announce(`${verdict(outcome, match.mine, name)} ${reason(outcome)}`);
    play(ending(outcome.winners, match.mine));
  } else if (live.mine && !live.pending) {
    const last = live.log.at(-1);
    const said = last && last[0] !== live.seat ? face.say(last[1], last[0], name) : "";
    announce(`${said} ${t("match.yourTurn")}`);
  }
}

/** Who watches, or has drawn, has neither won nor lost. */
export function ending(winners: readonly number[], mine: readonly number[]): Sound {
  if (winners.some((seat) => mine.includes(seat))) return "win";
  return winners.length > 0 && mine.length > 0 ? "lose" : "turn";
}
