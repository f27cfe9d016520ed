// Which cards move from where to where when the view changes.
import { LETTERS, play, type Card, type Play, type TopCard } from "./cards";
import { columnOf, effectOf } from "./table";
import type { View } from "./view";

/** "pile", "discards", "gain", "hand 2" for the hand of a seat, or a column such as "0A". */
export type Spot = string;
export type Line = [actor: number, text: string];

/** When a card starts: as it is played, as another is drawn for it, as it has its effect, as the gain is taken. */
export type Stage = "play" | "draw" | "effect" | "take";

export interface Flight {
  /** Null is the back. */
  card: string | null;
  from: Spot;
  to: Spot;
  stage: Stage;
  /** Whether it is not to be seen before it starts. */
  late?: boolean;
}

export const handOf = (seat: number): Spot => `hand ${seat}`;
export const spotOf = ({ seat, column }: Pick<Play, "seat" | "column">): Spot => `${seat}${LETTERS[column]}`;

/** The flights of the lines that led from one view to the next. */
export function flights(before: View, after: View, lines: readonly Line[]): Flight[] {
  const found: Flight[] = [];
  let target = before.step?.play ? play(before.step.play) : null;
  let drawer = before.drawer ?? before.turn;
  let answer: string | null = null;
  for (const [actor, line] of lines) {
    if (actor >= 0) drawer = actor;
    const rest = line.slice(1);
    const laid = play(line);
    if (laid) {
      target = laid;
      found.push({ card: laid.lies, from: handOf(actor), to: spotOf(laid), stage: "play" });
    } else if (line[0] === "!" && target) {
      answer = rest;
      found.push({ card: rest, from: handOf(actor), to: spotOf(target), stage: "play" });
    } else if (line[0] === "~") {
      found.push({ card: rest === "?" ? null : rest, from: "pile", to: handOf(drawer), stage: "draw" });
    } else if (line[0] === "^") {
      const to = rest === "?" ? "gain" : "discards";
      found.push({ card: rest === "?" ? null : rest, from: "pile", to, stage: "take" });
    } else if (line[0] === "+") found.push(...put(before, rest));
    else if (line === "x") found.push(...thrown(before, after, actor));
  }
  return target ? [...found, ...resolved(before, after, target, answer)] : found;
}

/** What becomes of the cards of a play once it has its effect: they are discarded or make the gain. */
function resolved(before: View, after: View, target: Play, answer: string | null): Flight[] {
  const from = spotOf(target);
  const played = before.step?.play === undefined;
  if (answer !== null && before.step?.name === "defend" && after.step?.name === "press")
    return [
      { card: target.lies, from, to: "discards", stage: "effect" },
      { card: answer, from, to: "discards", stage: "effect", late: true },
    ];
  const column = columnOf(before, target);
  if (column.top === null || columnOf(after, target).top !== null || after.step?.play) return [];
  const kind = effectOf(column, target, before.turn);
  const to = kind === "unblock" || !after.step?.top ? "discards" : "gain";
  return [
    { card: column.top, from, to, stage: "effect" },
    { card: target.lies, from, to, stage: "effect", late: played },
  ];
}

function put(before: View, letter: string): Flight[] {
  const to = `${before.turn}${letter}`;
  const cards: (TopCard | null)[] = [null, ...(before.step?.top ? [before.step.top] : [])];
  return cards.map((card) => ({ card, from: "gain", to, stage: "play" }));
}

function thrown(before: View, after: View, actor: number): Flight[] {
  const cards = (Object.entries(after.discards) as [Card, number][]).flatMap(([card, number]) =>
    Array.from({ length: Math.max(0, number - (before.discards[card] ?? 0)) }, () => card),
  );
  return cards
    .slice(0, before.hands[actor])
    .map((card) => ({ card, from: handOf(actor), to: "discards", stage: "play" }));
}
