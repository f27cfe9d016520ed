import { describe, expect, it } from "vitest";
import { area, AREAS, HOLLOWS, LINES, middle, MOERAKI, outline, point, winning } from "./lattice";

describe("the lattice", () => {
  it("has the hollows, areas and lines of the board", () => {
    expect(HOLLOWS).toHaveLength(57);
    expect(MOERAKI).toHaveLength(9);
    expect(AREAS.filter(({ corners }) => corners.length === 4)).toHaveLength(40);
    expect(AREAS.filter(({ corners }) => corners.length === 3)).toHaveLength(12);
    expect(LINES).toHaveLength(18);
  });

  it("puts f6 in the middle and row 11 at the top", () => {
    expect(point("f6")).toEqual({ name: "f6", x: 0, y: -0 });
    expect(point("c11").y).toBeLessThan(point("c1").y);
  });

  it("draws a beach with four corners and a semi-beach with three", () => {
    expect(outline(area("f7"), 0.7).match(/L/g)).toHaveLength(3);
    expect(outline(area("f11"), 0.7).match(/L/g)).toHaveLength(2);
    expect(middle(area("f7"))).toEqual({ x: 0, y: -20 });
  });

  it("joins the stones that won, round a beach in a ring", () => {
    const stones = ["e7", "f8", "g7", "f6"].map(point);
    expect(winning(stones, "tahuna")).toMatch(/^M(-?\d+ -?\d+L){3}-?\d+ -?\d+Z$/);
    expect(winning(["c11", "a9", "b10"].map(point), "awa")).toBe("M-100 -60L-80 -80L-60 -100");
    expect(winning([], "marae")).toBe("");
  });
});
