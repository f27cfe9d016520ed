// Who the visitor is to the server and which games there are, asked for when first needed.
import { lookup } from "./language/language.svelte";
import * as api from "./wire/api";
import type { GameAnswer, Me } from "./wire/types";

export const session = $state<{ me: Me | null; games: GameAnswer[] }>({ me: null, games: [] });

export async function loadSession(): Promise<void> {
  // One after the other: the first answer brings the cookie that the second request needs.
  session.me ??= await api.me();
  if (!session.games.length) session.games = await api.games();
}

/** A game with its default options, as the server describes it. */
export function gameAnswer(key: string): GameAnswer | undefined {
  return session.games.find((game) => game.key === key);
}

/** The title of a game in the chosen language, else as its manifest has it. */
export function gameTitle(key: string): string {
  return lookup(`game.${key}`, gameAnswer(key)?.title ?? key);
}

export function gameSummary(key: string): string {
  return lookup(`summary.${key}`, gameAnswer(key)?.summary ?? "");
}
