// Lessons and puzzles for times without a connection.
import { faceOf } from "../boards/face";
import { keepLessons } from "../learn/kept";
import { refill } from "../puzzles/offline";
import { session } from "../session.svelte";
import * as api from "../wire/api";

interface Connection {
  saveData?: boolean;
}

/** Keeps some puzzles and the lessons of each game, one after the other. */
export async function keepLessonsAndPuzzles(): Promise<void> {
  if ((navigator as { connection?: Connection }).connection?.saveData) return;
  try {
    for (const game of await api.puzzleGames()) await refill(game);
    for (const { key } of session.games) await keepLessons(key, (await faceOf(key))?.course ?? []);
  } catch {
    // There is no connection, or no room: what is kept so far is of use too.
  }
}
