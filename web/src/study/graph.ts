// Where the positions of a state graph are drawn: rows by the plies to the end, then the draws by how far from the start.
import type { GraphPosition } from "../wire/types";

export interface Placed {
  number: number;
  x: number;
  y: number;
}

/** The distance of neighbours, in pixels: what is touched is as large as a fingertip. */
export const CELL = 46;
const MOST_IN_A_ROW = 7;

export function placed(positions: readonly GraphPosition[]): Placed[] {
  const depth = depths(positions);
  const layers = new Map<number, number[]>();
  const last = 1 + Math.max(0, ...positions.map(({ plies }) => plies ?? 0));
  positions.forEach(({ plies }, number) => {
    const layer = plies ?? last;
    layers.set(layer, [...(layers.get(layer) ?? []), number]);
  });
  let row = 0;
  return [...layers.entries()]
    .sort(([one], [other]) => one - other)
    .flatMap(([, numbers]) => {
      const sorted = numbers.toSorted((one, other) => depth[one]! - depth[other]!);
      const from = row;
      row += Math.ceil(sorted.length / MOST_IN_A_ROW);
      return sorted.map((number, at) => ({
        number,
        x: CELL * ((at % MOST_IN_A_ROW) + 0.5),
        y: CELL * (from + Math.floor(at / MOST_IN_A_ROW) + 0.5),
      }));
    });
}

/** How many actions each position is from the first one. */
function depths(positions: readonly GraphPosition[]): number[] {
  const depth = positions.map((_, number) => (number === 0 ? 0 : Infinity));
  const queue = [0];
  for (let number = queue.shift(); number !== undefined; number = queue.shift()) {
    for (const next of positions[number]?.after ?? []) {
      if (depth[next] !== Infinity) continue;
      depth[next] = depth[number]! + 1;
      queue.push(next);
    }
  }
  return depth;
}
