import { describe, expect, it } from "vitest";
import type { GraphPosition } from "../wire/types";
import { CELL, placed } from "./graph";

const position = (plies: number | null, ...after: number[]): GraphPosition => ({
  ...{ position: {}, after, plies },
  result: plies === null ? "draw" : plies % 2 ? "win" : "loss",
});

describe("a state graph", () => {
  it("has a row for each distance, then the draws, those near the start first", () => {
    const found = placed([position(null, 1), position(null, 2, 3), position(1, 4), position(null, 0), position(0)]);
    const row = (number: number): number => found.find((each) => each.number === number)!.y / CELL - 0.5;
    expect([4, 2, 0, 1, 3].map(row)).toEqual([0, 1, 2, 2, 2]);
    const draws = found.filter(({ y }) => y === CELL * 2.5).map(({ number }) => number);
    expect(draws).toEqual([0, 1, 3]);
  });

  it("puts no two positions in the same place", () => {
    const found = placed(Array.from({ length: 30 }, (_, number) => position(number % 3 ? null : 0, number + 1)));
    expect(new Set(found.map(({ x, y }) => `${x} ${y}`)).size).toBe(30);
  });
});
