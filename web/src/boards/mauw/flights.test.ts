import { describe, expect, it } from "vitest";
import { flights } from "./flights";
import { picture } from "./sections";
import type { View } from "./view";

const start = picture.view as View;
const held = (...hands: number[]): Pick<View, "hands"> => ({ hands });
const top = (seat: number, column: number, card: "7" | null): Pick<View, "zones"> => ({
  zones: start.zones.map((zone, number) =>
    number === seat ? zone.map((place, index) => (index === column ? { ...place, top: card } : place)) : zone,
  ),
});

describe("cards fly", () => {
  it("from a hand to the column they are played on, also as an answer", () => {
    const after = { ...start, ...held(4, 3, 4) };
    expect(flights(start, after, [1, "m=7>1B"])).toEqual([{ card: "m=7", from: "hand 1", to: "0B" }]);
    const before: View = { ...start, step: { name: "defend", play: "5>2A", attacks: 1 } };
    expect(flights(before, after, [1, "!5"])).toEqual([{ card: "5", from: "hand 1", to: "1A" }]);
  });

  it("from the pile to whoever draws, face up only to those who may see it", () => {
    const before: View = { ...start, ...held(3, 4, 4), drawer: 0, step: { name: "draw", play: "5>1D" } };
    expect(flights(before, start, [-1, "~5"])).toEqual([{ card: "5", from: "pile", to: "hand 0" }]);
    expect(flights(before, start, [-1, "~?"])).toEqual([{ card: null, from: "pile", to: "hand 0" }]);
  });

  it("to the discards when two make nine, and together to the gain when they are equal", () => {
    const before = (play: string): View => ({ ...start, ...top(2, 1, "7"), turn: 2, step: { name: "draw", play } });
    const gone = { ...start, ...top(2, 1, null), turn: 2 };
    expect(flights(before("2>3B"), { ...gone, step: { name: "take" } }, [-1, "~?"])).toEqual([
      { card: "7", from: "2B", to: "discards" },
      { card: "2", from: "2B", to: "discards" },
    ]);
    expect(flights(before("7>3B"), { ...gone, step: { name: "put", top: "7" } }, [-1, "~?"])).toEqual([
      { card: "7", from: "2B", to: "gain" },
      { card: "7", from: "2B", to: "gain" },
    ]);
  });

  it("to the discards after a defence, attack and answer alike", () => {
    const before: View = { ...start, step: { name: "parry", play: "7>3B", answer: "m" } };
    const after: View = { ...start, step: { name: "press", play: "7>3B", attacks: 1 } };
    expect(flights(before, after, [-1, "~?"]).map(({ card, to }) => [card, to])).toEqual([
      ["7", "discards"],
      ["m", "discards"],
    ]);
  });

  it("from the pile to the gain, and from there to a column", () => {
    const take: View = { ...start, step: { name: "take" } };
    const put: View = { ...start, turn: 1, step: { name: "put", top: "6" } };
    expect(flights(take, put, [-1, "^?"])).toEqual([{ card: null, from: "pile", to: "gain" }]);
    expect(flights(take, start, [-1, "^4"])).toEqual([{ card: "4", from: "pile", to: "discards" }]);
    expect(flights(put, start, [1, "+C"])).toEqual([
      { card: null, from: "gain", to: "1C" },
      { card: "6", from: "gain", to: "1C" },
    ]);
  });

  it("all at once to the discards when a hand is thrown away", () => {
    const after: View = { ...start, ...held(4, 0, 4), discards: { ...start.discards, "4": 5, s: 2 } };
    expect(flights(start, after, [1, "x"]).map(({ card }) => card)).toEqual(["4", "4", "s", "s"]);
  });

  it("not when one steps back, where the views do not fit the line", () => {
    for (const line of ["7>1B", "!7", "~5", "^?", "+A", "x", "-"]) expect(flights(start, start, [1, line])).toEqual([]);
  });
});
