import { describe, expect, it } from "vitest";
import { flights, type Flight } from "./flights";
import { picture } from "./sections";
import type { View } from "./view";

const start = picture.view as View;
const top = (seat: number, column: number, card: "7" | null): Pick<View, "zones"> => ({
  zones: start.zones.map((zone, number) =>
    number === seat ? zone.map((place, index) => (index === column ? { ...place, top: card } : place)) : zone,
  ),
});
const ways = (found: Flight[]): string[] => found.map(({ card, from, to }) => `${card ?? "back"}: ${from} → ${to}`);

describe("cards fly", () => {
  it("from a hand to the column they are played on, and from the pile to that hand", () => {
    const lines: [number, string][] = [
      [1, "m=8>1B"],
      [-1, "~?"],
    ];
    expect(ways(flights(start, start, lines))).toEqual(["m=8: hand 1 → 0B", "back: pile → hand 1"]);
    expect(ways(flights(start, start, [[-1, "~5"]]))).toEqual(["5: pile → hand 0"]);
  });

  it("to the discards when two make nine, and the gain comes from the pile", () => {
    const before: View = { ...start, ...top(2, 1, "7"), turn: 2 };
    const after: View = { ...start, ...top(2, 1, null), turn: 2, step: { name: "put", top: null } };
    const lines: [number, string][] = [
      [2, "2>3B"],
      [-1, "~?"],
      [-1, "^?"],
    ];
    expect(ways(flights(before, after, lines))).toEqual([
      "2: hand 2 → 2B",
      "back: pile → hand 2",
      "back: pile → gain",
      "7: 2B → discards",
      "2: 2B → discards",
    ]);
    expect(flights(before, after, lines).map(({ late }) => Boolean(late))).toEqual([false, false, false, false, true]);
  });

  it("together to the gain when they are equal, also out of an enemy's zone", () => {
    const attacked: View = { ...start, ...top(2, 1, "7"), turn: 0, step: { name: "defend", play: "7>3B", attacks: 1 } };
    const after: View = { ...start, ...top(2, 1, null), turn: 0, step: { name: "put", top: "7" } };
    expect(ways(flights(attacked, after, [[2, "-"]]))).toEqual(["7: 2B → gain", "7: 2B → gain"]);
  });

  it("to the discards after a defence, attack and answer alike", () => {
    const before: View = { ...start, ...top(2, 1, "7"), step: { name: "defend", play: "7>3B", attacks: 1 } };
    const after: View = { ...before, step: { name: "press", play: "7>3B", attacks: 1 } };
    const lines: [number, string][] = [
      [2, "!m"],
      [-1, "~?"],
    ];
    expect(ways(flights(before, after, lines))).toEqual([
      "m: hand 2 → 2B",
      "back: pile → hand 2",
      "7: 2B → discards",
      "m: 2B → discards",
    ]);
  });

  it("from the gain to a column, or from the pile to the discards if there is no place", () => {
    const put: View = { ...start, turn: 1, step: { name: "put", top: "6" } };
    expect(ways(flights(put, start, [[1, "+C"]]))).toEqual(["back: gain → 1C", "6: gain → 1C"]);
    expect(ways(flights(start, start, [[-1, "^4"]]))).toEqual(["4: pile → discards"]);
  });

  it("all at once to the discards when a hand is thrown away", () => {
    const after: View = { ...start, discards: { ...start.discards, "4": 5, s: 2 } };
    expect(ways(flights(start, after, [[1, "x"]]))).toEqual(
      ["4", "4", "s", "s"].map((card) => `${card}: hand 1 → discards`),
    );
  });
});
