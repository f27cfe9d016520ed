import { beforeAll, describe, expect, it } from "vitest";
import { loadLanguage } from "../../language/language.svelte";
import { prompt, rescued, suggestion, threatened } from "./coach";

beforeAll(() => loadLanguage("en"));

const position = (ball: string | null, matau: string[] = [], manaia: string[] = []) => ({
  position: { ball, stones: [matau, manaia], tane: [null, null], turn: 0 },
});
const now = (view: unknown, actions: string[]) => ({ view, actions, seat: 0, options: {} });

describe("the coach of Moeraki-Kemu", () => {
  it("says what to do at every kind of turn", () => {
    expect(prompt(now(position(null), ["@f6", "@f8"]))).toBe("Place the ball in one of the 2 ringed hollows.");
    const again = { ...now(position(null), ["@f6", "@f8"]), options: { moved_from: "e5" } };
    expect(prompt(again)).toBe("The ball must be moved: it lay on e5. Place it in one of the 2 ringed hollows.");
    expect(prompt(now(position("f6"), ["a3"]))).toBe("Lay the first stone in any empty hollow.");
    expect(prompt(now(position("f6", ["c1"]), ["a3"]))).toBe("Lay a stone in an empty hollow.");
    expect(prompt(now(position("f6", ["c1"]), ["a3", "swap"]))).toContain("take over the first one");
    expect(prompt(now(position("f6"), ["Tf7sw", "-"]))).toContain("place your Tane there, or keep the tile");
  });

  it("says in words what it suggests", () => {
    const told = ["@f6", "j10", "Tf7sw", "-", "swap"].map(suggestion);
    expect(told.every((sentence) => /^[A-Z][a-z].*\.$/.test(sentence))).toBe(true);
    expect(told[2]).toBe("Place your Tane on f7, looking south-west.");
  });

  it("tells a line that lacks one stone from one stone that makes two lines", () => {
    const line = { action: "j10", cells: ["k9", "j10", "i11"], missing: ["j10"], reason: "awa" };
    expect(threatened(line, "Tama")).toBe("Tama threatens Awa: only j10 is missing from the line k9–j10–i11.");
    const two = { action: "f8", cells: ["e7", "f8", "g7", "f6"], missing: ["f8", "f6"], reason: "tahuna" };
    expect(threatened(two, "Tama")).toContain("Then two lines need only one more stone each");
    expect(threatened({ ...two, action: "a3" }, "Tama")).toContain("can force a win, starting with a stone on a3");
  });

  it("tells how a loss could have been avoided", () => {
    const threats = [{ action: "j10", cells: ["k9", "j10", "i11"], missing: ["j10"], reason: "awa" }];
    const rescue = { ply: 4, view: null, saves: ["j10"], taken: "e1", threats };
    expect(rescued(rescue, "Tama")).toBe("A stone on j10 would have stopped Tama here (Awa). You played e1.");
    expect(rescued({ ...rescue, threats: [] }, "Tama")).toContain("saved the Marae");
    expect(rescued({ ...rescue, saves: ["-"], threats: [] }, "Tama")).toContain("Keep the tile");
    expect(rescued({ ...rescue, saves: [] }, "Tama")).toContain("Up to here Tama threatened nothing");
  });
});
