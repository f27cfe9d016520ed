// Which cards move from where to where when the view changes.
import { LETTERS, play, type Card, type Play } from "./cards";
import { columnOf, effectOf } from "./table";
import type { View } from "./view";

/** "pile", "discards", "gain", "hand 2" for the hand of a seat, or a column such as "0A". */
export type Spot = string;

export interface Flight {
  /** Null is the back. */
  card: string | null;
  from: Spot;
  to: Spot;
}

export const handOf = (seat: number): Spot => `hand ${seat}`;
export const spotOf = ({ seat, column }: Pick<Play, "seat" | "column">): Spot => `${seat}${LETTERS[column]}`;

/** The flights of an action, given the views before and after it; none if the views do not fit it. */
export function flights(before: View, after: View, [actor, line]: [actor: number, line: string]): Flight[] {
  const laid = play(line);
  if (laid) {
    if (!holdsFewer(before, after, actor)) return [];
    return [{ card: laid.lies, from: handOf(actor), to: spotOf(laid) }];
  }
  switch (line[0]) {
    case "!":
      return answered(before, after, actor, line.slice(1));
    case "~":
      return [...drawn(before, after, line.slice(1)), ...resolved(before, after)];
    case "-":
      return resolved(before, after);
    case "^":
      return taken(before, after, line.slice(1));
    case "+":
      return put(before, after, line.slice(1));
    case "x":
      return thrown(before, after, actor);
    default:
      return [];
  }
}

const holdsFewer = (before: View, after: View, seat: number): boolean =>
  (before.hands[seat] ?? 0) === (after.hands[seat] ?? 0) + 1;

function answered(before: View, after: View, actor: number, card: string): Flight[] {
  const target = before.step?.play ? play(before.step.play) : null;
  if (!target || !holdsFewer(before, after, actor)) return [];
  return [{ card, from: handOf(actor), to: spotOf(target) }];
}

function drawn(before: View, after: View, card: string): Flight[] {
  const { drawer } = before;
  if (drawer === undefined || !holdsFewer(after, before, drawer)) return [];
  return [{ card: card === "?" ? null : card, from: "pile", to: handOf(drawer) }];
}

/** What becomes of the cards of a play once it has its effect: they are discarded or make the gain. */
function resolved(before: View, after: View): Flight[] {
  const step = before.step;
  const target = step?.play ? play(step.play) : null;
  if (!step || !target) return [];
  const from = spotOf(target);
  if (step.name === "parry" && after.step?.name === "press") {
    const cards = [target.lies, step.answer ?? target.lies];
    return cards.map((card) => ({ card, from, to: "discards" }));
  }
  const column = columnOf(before, target);
  const gone = column.top !== null && columnOf(after, target).top === null;
  if (!gone || after.step?.play) return [];
  const kind = effectOf(column, target, before.turn);
  const to = kind === "unblock" || !after.step?.top ? "discards" : "gain";
  return [column.top, target.lies].map((card) => ({ card, from, to }));
}

function taken(before: View, after: View, card: string): Flight[] {
  if (before.step?.name !== "take" || after.step?.name === "take") return [];
  return [card === "?" ? { card: null, from: "pile", to: "gain" } : { card, from: "pile", to: "discards" }];
}

function put(before: View, after: View, letter: string): Flight[] {
  if (before.step?.name !== "put" || after.step?.name === "put") return [];
  const to = `${before.turn}${letter}`;
  const top = before.step.top;
  return [{ card: null, from: "gain", to }, ...(top ? [{ card: top, from: "gain", to }] : [])];
}

function thrown(before: View, after: View, actor: number): Flight[] {
  if ((after.hands[actor] ?? 0) >= (before.hands[actor] ?? 0)) return [];
  const cards = (Object.entries(after.discards) as [Card, number][]).flatMap(([card, number]) =>
    Array.from({ length: Math.max(0, number - (before.discards[card] ?? 0)) }, () => card),
  );
  return cards.slice(0, before.hands[actor]).map((card) => ({ card, from: handOf(actor), to: "discards" }));
}
