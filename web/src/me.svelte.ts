// Who we are to the server; asked for when first needed.
import * as api from "./wire/api";
import type { GameAnswer, Me } from "./wire/types";

export const who = $state<{ me: Me | null; games: GameAnswer[] }>({ me: null, games: [] });

export async function meet(): Promise<void> {
  // One after the other: the first answer brings the cookie the second is asked with.
  who.me ??= await api.me();
  if (!who.games.length) who.games = await api.games();
}
