import { describe, expect, it } from "vitest";
import { rows, towards } from "./roving";

const places = [
  { key: "a", x: 0, y: 0 },
  { key: "b", x: 4, y: 0 },
  { key: "c", x: 2, y: 2 },
  { key: "d", x: 0, y: 4 },
  { key: "e", x: 4, y: 4 },
];

describe("moving the focus", () => {
  const grid = rows(places);

  it("makes rows from the top and from the left", () => {
    expect(grid.map((row) => row.map(({ key }) => key).join(""))).toEqual(["ab", "c", "de"]);
  });

  it("goes along a row and stops at its ends", () => {
    expect(towards(grid, "a", "ArrowRight", 0)?.key).toBe("b");
    expect(towards(grid, "b", "ArrowRight", 0)).toBeUndefined();
    expect(towards(grid, "b", "Home", 0)?.key).toBe("a");
    expect(towards(grid, "d", "End", 0)?.key).toBe("e");
  });

  it("keeps to the column where the walk began", () => {
    expect(towards(grid, "b", "ArrowDown", 4)?.key).toBe("c");
    expect(towards(grid, "c", "ArrowDown", 4)?.key).toBe("e");
    expect(towards(grid, "a", "ArrowUp", 0)).toBeUndefined();
    expect(towards(grid, "a", "x", 0)).toBeUndefined();
  });
});
