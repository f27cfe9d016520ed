// Marks on a board: rings round places and arrows between them.
import type { Mark } from "./chapter";

/** More are not kept at one node. */
export const MOST_MARKS = 64;

/** A mark as people read it, such as "f6" or "f6 → i11". */
export function markName(mark: Mark): string {
  return "cell" in mark ? mark.cell : `${mark.from} → ${mark.to}`;
}

/** The marks with one more; without it if it was among them. */
export function toggled(marks: readonly Mark[], mark: Mark): Mark[] {
  const name = markName(mark);
  const others = marks.filter((each) => markName(each) !== name);
  return others.length < marks.length ? others : [...marks, mark].slice(-MOST_MARKS);
}

interface Spot {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The way of an arrow from the middle of a place to just before that of another, so that both can still be seen. */
export function arrow(from: Spot, to: Spot): string {
  const [x, y] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(x, y) || 1;
  const [begin, end] = [Math.min(from.width, from.height) / 4 / length, 1 - Math.min(to.width, to.height) / 3 / length];
  const at = (part: number): string => `${(from.x + x * part).toFixed(1)} ${(from.y + y * part).toFixed(1)}`;
  return `M${at(begin)}L${at(Math.max(begin, end))}`;
}
