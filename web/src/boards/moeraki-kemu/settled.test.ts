import { describe, expect, it } from "vitest";
import { settled } from "./settled";
import type { View } from "./view";

const view: View = {
  position: {
    ball: "f4",
    stones: [
      ["k3", "k5", "k7", "k9"],
      ["j8", "c3", "c5", "j4"],
    ],
    tane: [null, null],
    turn: 1,
  },
  tiles: [
    { at: "k8", tribe: 0, worth: "1/2" },
    { at: "k4", tribe: 0, worth: "1/2" },
  ],
  barred: [],
  sees: [null, null],
  scores: ["1", "0"],
  asked: null,
};
const won = { winners: [0], reason: "ara", scores: null, at: ["k3", "k5", "k7", "k9"] };

describe("the view after an early win", () => {
  it("has no tile around the stone that won, and does not count it", () => {
    const shown = settled(view, won, [0, "k9"]);
    expect(shown.tiles).toEqual([{ at: "k4", tribe: 0, worth: "1/2" }]);
    expect(shown.scores).toEqual(["1/2", "0"]);
  });

  it("is as it was without a log, before the end, and when the game ended otherwise", () => {
    expect(settled(view, won, null)).toBe(view);
    expect(settled(view, null, [0, "k9"])).toBe(view);
    expect(settled(view, { ...won, reason: "resignation", at: [] }, [0, "k9"])).toBe(view);
  });
});
