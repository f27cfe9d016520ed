// Who players are and how strong: asked for together, and kept for a while.
import type { MatchAnswer, PlayerAnswer, RatingAnswer } from "../wire/types";
import * as api from "../wire/api";

const KEPT_MS = 60_000;
/** So many are asked for at once. */
const MOST = 50;
const RAPID_SECONDS = 600;
const EXPECTED_TURNS = 30;

const known = $state<Record<string, PlayerAnswer>>({});
const askedAt = new Map<string, number>();
let wanted = new Set<string>();

/** Asks for a player soon, unless that was done lately. */
export function askFor(id: string): void {
  if (Date.now() - (askedAt.get(id) ?? -Infinity) < KEPT_MS) return;
  askedAt.set(id, Date.now());
  if (!wanted.size) queueMicrotask(() => void load());
  wanted.add(id);
}

/** Asks for players again, whose ratings have changed. */
export function askAgain(ids: string[]): void {
  for (const id of ids) {
    askedAt.delete(id);
    askFor(id);
  }
}

async function load(): Promise<void> {
  const ids = [...wanted];
  wanted = new Set();
  for (let start = 0; start < ids.length; start += MOST) {
    // A name without its rating is no reason to complain; it is asked for again later.
    const found = await api.standings(ids.slice(start, start + MOST)).catch(() => []);
    for (const player of found) known[player.id] = player;
  }
}

/** A player as far as that is known by now. */
export const playerOf = (id: string): PlayerAnswer | undefined => known[id];

/** The pace at which a match is rated, as people/pace.py has it. */
export function paceOf({ clock, seats }: Pick<MatchAnswer, "clock" | "seats">): RatingAnswer["pace"] {
  if (seats.length > 2) return "table";
  if (clock.kind === "none") return "rapid";
  if (clock.kind !== "game") return "correspondence";
  return clock.seconds + EXPECTED_TURNS * (clock.increment ?? 0) >= RAPID_SECONDS ? "rapid" : "blitz";
}

/** The rating of a player in the game and at the pace of a match; of a bot, which has one rating, that one. */
export function ratingIn(
  match: Pick<MatchAnswer, "game" | "clock" | "seats">,
  player: PlayerAnswer | undefined,
): RatingAnswer | undefined {
  const pace = paceOf(match);
  return player?.ratings.find(
    (rating) =>
      rating.game === match.game && rating.matches + Number(player.bot) > 0 && (player.bot || rating.pace === pace),
  );
}

/** The page of an account. */
export const pageOf = (name: string): string => `/players/${encodeURIComponent(name)}`;
