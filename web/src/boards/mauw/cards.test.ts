import { describe, expect, it } from "vitest";
import { face, play, withPending } from "./cards";
import type { View } from "./view";

const view: View = {
  seat: 0,
  hand: ["7", "7", "m", "s"],
  hands: [4, 4],
  zones: [
    [
      { mauw: 0, top: "2" },
      { mauw: 0, top: null },
      { mauw: 1, top: null },
      { mauw: 0, top: null },
    ],
    [
      { mauw: 2, top: null },
      { mauw: 0, top: null },
      { mauw: 0, top: null },
      { mauw: 0, top: null },
    ],
  ],
  worths: [
    [2, 0, 18, 0],
    [36, 0, 0, 0],
  ],
  scores: [20, 36],
  pile: 30,
  discards: {},
  turn: 0,
  turns: 3,
  to_act: 0,
  step: null,
  end: null,
};

describe("cards", () => {
  it("have the colour of their value, jokers that of the value they stand for", () => {
    expect(["1", "8", "2", "7", "3", "6", "4", "5"].map((card) => face(card).colour)).toEqual([
      "red",
      "red",
      "orange",
      "orange",
      "green",
      "green",
      "blue",
      "blue",
    ]);
    expect(face("m=6")).toEqual({ value: "6", joker: true, colour: "green" });
    expect(face("m=s").colour).toBe("spirit");
    expect(face("m").colour).toBe("maui");
  });

  it("are read from actions", () => {
    expect(play("7>1B")).toEqual({ card: "7", lies: "7", seat: 0, column: 1 });
    expect(play("m=s>2C")).toEqual({ card: "m", lies: "m=s", seat: 1, column: 2 });
    for (const other of ["+A", "!7", "-", "x", "~5", "^?"]) expect(play(other)).toBeNull();
  });

  it("lie where they are played before that is confirmed, and leave the hand once", () => {
    const { zones, hand } = withPending(view, "7>1B");
    expect(zones[0]?.[1]).toEqual({ mauw: 0, top: "7" });
    expect(hand).toEqual(["7", "m", "s"]);
    expect(withPending(view, "!m").hand).toEqual(["7", "7", "s"]);
    expect(withPending(view, "+C")).toEqual({ zones: view.zones, hand: view.hand });
    expect(withPending(view, null).hand).toBe(view.hand);
  });
});
