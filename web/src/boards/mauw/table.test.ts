import { describe, expect, it } from "vitest";
import { picture } from "./sections";
import { acting, areas, effectOf, fullColumns, gain, neighbour, ranks, seatsAround, shownNames } from "./table";
import type { View } from "./view";

const view = picture.view as View;

describe("the table", () => {
  it("seats everybody clockwise from one's left, oneself last", () => {
    expect(seatsAround(4, 1)).toEqual([2, 3, 0, 1]);
    expect(seatsAround(3, null)).toEqual([0, 1, 2]);
  });

  it("has a place of its own for each of two to six players", () => {
    for (const players of [2, 3, 4, 5, 6]) {
      const places = areas(players).map(String);
      expect(places).toHaveLength(players);
      expect(new Set(places).size).toBe(players);
    }
  });

  it("ranks by points; equal points share a rank", () => {
    expect(ranks([10, 30, 30, 5])).toEqual([3, 1, 1, 4]);
  });

  it("counts columns with three Mauw, whatever lies on top", () => {
    const column = (mauw: number, top: "s" | null = null) => ({ mauw, top });
    expect(fullColumns([column(3), column(3, "s"), column(2), column(0)])).toBe(2);
  });

  it("waits for the player whose turn it is while cards are dealt", () => {
    expect(acting({ ...view, to_act: -1, turn: 2 })).toBe(2);
    expect(acting({ ...view, to_act: 1, turn: 2 })).toBe(1);
    expect(acting({ ...view, to_act: null })).toBeNull();
  });
});

describe("names", () => {
  it("keep their number when they are cut off", () => {
    expect(shownNames(["Beginner 1", "Beginner 2"])).toEqual([
      { start: "Beginner", end: " 1" },
      { start: "Beginner", end: " 2" },
    ]);
  });

  it("are numbered if they are equal", () => {
    expect(shownNames(["Ana", "Hine", "Ana"])).toEqual([
      { start: "Ana", end: " (1)" },
      { start: "Hine", end: "" },
      { start: "Ana", end: " (2)" },
    ]);
  });
});

describe("a play", () => {
  it("is told apart by what lies there and whose it is", () => {
    const on = (mauw: number, top: "7" | "s" | null) => ({ mauw, top });
    const played = (lies: "7" | "2" | "s", seat: number) => ({ lies, seat });
    expect(effectOf(on(0, null), played("7", 0), 0)).toBe("lay");
    expect(effectOf(on(2, null), played("s", 1), 0)).toBe("block");
    expect(effectOf(on(1, "7"), played("2", 0), 0)).toBe("nine");
    expect(effectOf(on(1, "7"), played("7", 0), 0)).toBe("pair");
    expect(effectOf(on(1, "7"), played("2", 1), 0)).toBe("attack");
    expect(effectOf(on(1, "s"), played("s", 0), 0)).toBe("unblock");
  });

  it("may bring a Mauw or a pair, which waits for its place", () => {
    expect(gain(view)).toBeNull();
    expect(gain({ ...view, step: { name: "put", top: null } })).toEqual({ top: null });
    expect(gain({ ...view, step: { name: "put", top: "6" } })).toEqual({ top: "6" });
  });
});

describe("arrow keys", () => {
  const at = (x: number, y: number) => ({ x, y, width: 40, height: 60 });
  const places = new Map([
    ["1A", at(0, 0)],
    ["1B", at(50, 0)],
    ["2A", at(300, 0)],
    ["0A", at(30, 200)],
    ["0B", at(80, 200)],
  ]);

  it("lead to the nearest column in their direction, across zones too", () => {
    expect(neighbour(places, "1A", "ArrowRight")).toBe("1B");
    expect(neighbour(places, "1B", "ArrowRight")).toBe("2A");
    expect(neighbour(places, "1B", "ArrowDown")).toBe("0A");
    expect(neighbour(places, "0B", "ArrowUp")).toBe("1B");
  });

  it("lead nowhere at the edge, and other keys lead nowhere at all", () => {
    expect(neighbour(places, "1A", "ArrowLeft")).toBeUndefined();
    expect(neighbour(places, "1A", "ArrowUp")).toBeUndefined();
    expect(neighbour(places, "1A", "Enter")).toBeUndefined();
  });
});
