// Sounds and announcements for the newest events of a match.
import { announce } from "../announce.svelte";
import type { Face } from "../boards/face";
import { t } from "../language/language.svelte";
import { play, type Sound } from "../sound";
import type { LiveMatch } from "./live.svelte";
import { reason, verdict } from "./outcome";
import { prompt } from "./situation";

export function notify(live: LiveMatch, face: Face, name: (seat: number) => string): void {
  const { events, match, outcome } = live;
  if (!events.length || !match) return;
  for (const event of events) {
    if (event.event === "acted") {
      announce(face.describe(event.line, event.seat, name));
      play(face.sound);
    } else if (event.event === "offered" && event.seat !== live.seat) {
      announce(t(`offer.${event.what}`, { name: name(event.seat) }));
    }
  }
  if (outcome && events.some(({ event }) => event !== "offered" && event !== "rematched")) {
    announce(`${verdict(outcome, match.mine, name)} ${reason(match.game, outcome)}`);
    play(endSound(outcome.winners, match.mine));
  } else if (live.myTurn && !live.pending) {
    const last = live.log.at(-1);
    const description = last && last[0] !== live.seat ? face.describe(last[1], last[0], name) : "";
    announce(`${description} ${prompt(live, face, name)}`);
  }
}

/** The sound at the end; for a spectator, and after a draw, it is neither that of a win nor that of a loss. */
export function endSound(winners: readonly number[], mine: readonly number[]): Sound {
  if (winners.some((seat) => mine.includes(seat))) return "win";
  return winners.length > 0 && mine.length > 0 ? "lose" : "turn";
}
