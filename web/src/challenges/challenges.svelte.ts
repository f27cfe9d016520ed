// What the page is told of challenges, and the search for an opponent that goes on from page to page.
import { announce } from "../announce.svelte";
import { t } from "../language/language.svelte";
import { navigate, route } from "../router.svelte";
import { gameTitle } from "../session.svelte";
import { play } from "../sound";
import * as api from "../wire/api";
import { pageSockets } from "../wire/socket";
import type { ChallengeMet, MatchAnswer, NewChallenge } from "../wire/types";

/** A challenge to anyone that waits, and the match that it became. */
interface Search {
  challenge: string;
  game: string;
  match?: string;
}

const KEPT = "kemu-search";
/** Where the match that was found is shown at once; elsewhere one is asked first. */
const LISTS = ["/", "/lobby", "/challenges"];

const kept = sessionStorage.getItem(KEPT);
export const search = $state<{ now: Search | null }>({ now: kept ? (JSON.parse(kept) as Search) : null });

pageSockets.met = met;

/** Looks for an opponent: shows the match if there is one at once, else keeps looking. */
export async function seek(wanted: NewChallenge): Promise<void> {
  await stop();
  const { challenge, match } = await api.challenge(wanted);
  if (match) show(match.id);
  else if (challenge) {
    keep({ challenge: challenge.id, game: challenge.game });
    announce(t("search.waiting", { game: gameTitle(challenge.game) }));
  }
}

/** Ends the search. */
export async function stop(): Promise<void> {
  const { now } = search;
  keep(null);
  if (now && !now.match) await api.withdrawChallenge(now.challenge).catch(() => undefined);
}

/** Goes on with a search of before, unless it has ended while no page was open. */
export async function resume(): Promise<void> {
  const { now } = search;
  if (!now || now.match) return;
  const mine = await api.challenges("mine").catch(() => undefined);
  if (mine && search.now === now && !mine.some(({ id }) => id === now.challenge)) keep(null);
}

/** Shows the match that was found. */
export function show(match: MatchAnswer["id"]): void {
  keep(null);
  navigate(`/match/${match}`);
}

function met({ challenge, match }: ChallengeMet): void {
  if (search.now?.challenge !== challenge) return;
  announce(t("search.found", { game: gameTitle(search.now.game) }));
  play("turn");
  if (LISTS.includes(route.path)) show(match);
  else keep({ ...search.now, match });
}

function keep(now: Search | null): void {
  search.now = now;
  if (now) sessionStorage.setItem(KEPT, JSON.stringify(now));
  else sessionStorage.removeItem(KEPT);
}
