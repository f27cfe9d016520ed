// How players sit round the table, who leads, and what a play does; no rules, only what the view shows.
import { face, type Play, type TopCard } from "./cards";
import type { ColumnDocument, View } from "./view";

/** The seats from the left hand of whoever looks on, clockwise; the last one is nearest. */
export function seatsAround(players: number, own: number | null): number[] {
  return Array.from({ length: players }, (_, number) => ((own ?? -1) + 1 + number) % players);
}

/** Columns and row of a grid of six columns. */
export type Area = [columns: string, row: number];

/** Where those beside oneself sit, from the left clockwise, by the number of players. */
const AREAS: Record<number, Area[]> = {
  2: [["2 / 6", 1]],
  3: [
    ["1 / 4", 1],
    ["4 / 7", 1],
  ],
  4: [
    ["1 / 3", 2],
    ["3 / 5", 1],
    ["5 / 7", 2],
  ],
  5: [
    ["1 / 3", 2],
    ["1 / 4", 1],
    ["4 / 7", 1],
    ["5 / 7", 2],
  ],
  6: [
    ["1 / 3", 2],
    ["1 / 3", 1],
    ["3 / 5", 1],
    ["5 / 7", 1],
    ["5 / 7", 2],
  ],
};

/** Where the players sit, in the order of `seatsAround`; the last one below everybody. */
export function areas(players: number): Area[] {
  return [...(AREAS[players] ?? []), ["1 / 7", 3]];
}

/** The rank of each seat, 1 for most points; equal points share a rank. */
export function ranks(scores: readonly number[]): number[] {
  return scores.map((score) => 1 + scores.filter((other) => other > score).length);
}

/** The number of columns with as many Mauw as a column can have; three of them end the game. */
export function fullColumns(zone: readonly ColumnDocument[]): number {
  return zone.filter(({ mauw }) => mauw === 3).length;
}

export interface ShownName {
  /** May be cut off. */
  start: string;
  /** Tells players apart whose names begin alike; never cut off. */
  end: string;
}

/** Names of which no two look the same: a number at the end stays visible, and equal names are numbered. */
export function shownNames(names: readonly string[]): ShownName[] {
  return names.map((name, seat) => {
    const [, start = name, end = ""] = /^(.+?)(\s\(?\d+\)?)$/.exec(name) ?? [];
    const alike = names.filter((other) => other === name).length > 1;
    return alike
      ? { start: name, end: ` (${names.slice(0, seat + 1).filter((other) => other === name).length})` }
      : { start, end };
  });
}

export type Effect = "lay" | "nine" | "pair" | "unblock" | "block" | "attack";

/** What a card does on a column, as seen by the seat that plays it. */
export function effectOf(column: ColumnDocument, played: Pick<Play, "lies" | "seat">, actor: number): Effect {
  if (!column.top) return played.seat === actor ? "lay" : "block";
  if (played.seat !== actor) return "attack";
  if (face(column.top).value === "s") return "unblock";
  return sameValue(column.top, played.lies) ? "pair" : "nine";
}

export function sameValue(one: TopCard, other: TopCard): boolean {
  return face(one).value === face(other).value;
}

/** The column that a play lies on or is meant for. */
export function columnOf(view: View, { seat, column }: Pick<Play, "seat" | "column">): ColumnDocument {
  return view.zones[seat]?.[column] ?? { mauw: 0, top: null };
}

/** The seat that everybody waits for: while cards are dealt the one whose turn it is, null once the game is over. */
export function acting({ to_act, turn }: View): number | null {
  return to_act !== null && to_act < 0 ? turn : to_act;
}

/** The gain that waits for its place: a Mauw, or a card on a Mauw; null if there is none. */
export function gain(view: View): { top: TopCard | null } | null {
  if (view.step?.name !== "put") return null;
  return { top: view.step.top ?? null };
}

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

const DIRECTIONS: Record<string, [x: number, y: number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** The place that an arrow key leads to: the nearest one that lies in its direction, rather straight than close. */
export function neighbour(places: Map<string, Rect>, from: string, key: string): string | undefined {
  const start = places.get(from);
  const direction = DIRECTIONS[key];
  if (!start || !direction) return undefined;
  const [right, down] = direction;
  let best: string | undefined;
  let shortest = Infinity;
  for (const [name, rect] of places) {
    const x = rect.x + rect.width / 2 - start.x - start.width / 2;
    const y = rect.y + rect.height / 2 - start.y - start.height / 2;
    const ahead = x * right + y * down;
    const aside = Math.abs(x * down + y * right);
    const distance = ahead + 3 * aside;
    if (name !== from && ahead > 1 && ahead >= aside / 2 && distance < shortest) [best, shortest] = [name, distance];
  }
  return best;
}
