import { describe, expect, it } from "vitest";
import { at, followed, moved, outline, spot, way } from "./star";

describe("the star", () => {
  it("numbers the kewai clockwise from the top round the pūtahi", () => {
    expect(spot(1, 8, 100)).toEqual({ x: 0, y: -100 });
    expect(spot(3, 8, 100)).toEqual({ x: 100, y: -0 });
    expect(spot(0, 8, 100)).toEqual({ x: 0, y: 0 });
  });

  it("reads the pūtahi from the end of the points", () => {
    expect(at("BBBBWWWW.", 0)).toBe(".");
    expect(at("BBBBWWWW.", 1)).toBe("B");
    expect(at("BBBBWWWW.", 8)).toBe("W");
  });

  it("shows an action before it is confirmed", () => {
    expect(moved("BBBBWWWW.", "1-0")).toBe(".BBBWWWWB");
    expect(moved(".BBBWWWWB", "8-1")).toBe("WBBBWWW.B");
    expect(moved("BBBBWWWW.", null)).toBe("BBBBWWWW.");
  });

  it("keeps each man the same when one moves", () => {
    const before = followed([], "BBBBWWWW.");
    const after = followed(before, ".BBBWWWWB");
    const goer = before.find((man) => man.point === 1)!;
    expect(after.find((man) => man.id === goer.id)?.point).toBe(0);
    expect(after.map((man) => man.id)).toEqual(before.map((man) => man.id));
    for (const man of before) if (man !== goer) expect(after.find(({ id }) => id === man.id)?.point).toBe(man.point);
  });

  it("draws as many tips as there are arms", () => {
    expect(outline(6, 90, 30).match(/L/g)).toHaveLength(11);
  });

  it("goes round the ring the short way, also between the first and the last kewai", () => {
    expect(way(1, 2, 8)).toMatch(/^M0 -82A82 82 0 0 1 57.98 -57.98$/);
    expect(way(1, 8, 8)).toMatch(/^M-?0 -82A82 82 0 0 0 -57.98 -57.98$/);
    expect(way(8, 1, 8)).toMatch(/A82 82 0 0 1 -?0 -82$/);
    expect(way(3, 0, 8, [0.25, 0.5])).toBe("M61.5 0L41 0");
  });
});
