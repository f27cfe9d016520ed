// Puzzles kept in the browser for times without a connection, and answers that wait for one.
import * as api from "../wire/api";
import type { OfflinePuzzle, PuzzleSolution } from "../wire/types";

const QUEUE = "kemu.puzzles.answers";
const kept = (game: string): string => `kemu.puzzles.kept.${game}`;

interface Waiting {
  game: string;
  id: string;
  /** Empty if the solver gave up. */
  actions: string[];
}

function read<T>(name: string): T[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(name) ?? "[]");
    return Array.isArray(found) ? (found as T[]) : [];
  } catch {
    return [];
  }
}

function write(name: string, value: unknown): void {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // A browser without room or storage works with a connection only.
  }
}

/** Whether a request failed because the server cannot be reached. */
export function isOffline(error: unknown): boolean {
  return error instanceof api.RequestError && error.code === "offline";
}

/** The puzzles of a game that are kept. */
export function keptPuzzles(game: string): OfflinePuzzle[] {
  return read<OfflinePuzzle>(kept(game));
}

/** Keeps new puzzles of a game once half of those kept are used up. */
export async function refill(game: string): Promise<void> {
  if (keptPuzzles(game).length < 10) write(kept(game), await api.offlinePuzzles(game));
}

/** Takes a puzzle out of those kept: it was answered. */
export function drop(game: string, id: string): void {
  write(
    kept(game),
    keptPuzzles(game).filter((each) => each.question.id !== id),
  );
}

/** Sends an answer as soon as there is a connection. */
export function queueAnswer(waiting: Waiting): void {
  write(QUEUE, [...read<Waiting>(QUEUE), waiting]);
}

/** Sends all answers that wait; those after a failure go on waiting. */
export async function sendAnswers(): Promise<void> {
  for (let [first, ...rest] = read<Waiting>(QUEUE); first; [first, ...rest] = read<Waiting>(QUEUE)) {
    try {
      if (first.actions.length) await api.answerPuzzle(first.game, first.id, first.actions);
      else await api.puzzleSolution(first.game, first.id);
    } catch (error) {
      if (isOffline(error)) return;
      // A puzzle that the server does not know any more is not asked about again.
    }
    write(QUEUE, rest);
  }
}

export interface Judged {
  right: boolean;
  done: boolean;
  /** Where the line stands after the action and the replies to it. */
  at: number;
}

/** Judges the actions of a solver by a solution that is kept. */
export function judge(solution: PuzzleSolution, seat: number, actions: string[]): Judged {
  const own = solution.line.flatMap((_, number) => (solution.steps[number + 1]!.actor === seat ? [number] : []));
  const last = actions.length - 1;
  const right = actions.every((action, number) => action === solution.line[own[number]!]);
  return { right, done: !right || last === own.length - 1, at: own[last + 1] ?? solution.line.length };
}
