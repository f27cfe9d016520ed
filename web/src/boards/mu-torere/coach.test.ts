import { beforeAll, describe, expect, it } from "vitest";
import { loadLanguage } from "../../language/language.svelte";
import { prompt, rescued, threatened } from "./coach";

beforeAll(() => loadLanguage("en"));

const now = (points: string, actions: string[]) => ({
  view: { position: { points, turn: 0 }, occurrences: 1 },
  actions,
  seat: 0,
  options: {},
});

describe("the coach of Mū tōrere", () => {
  it("says which men can move where", () => {
    expect(prompt(now("BBBBWWWW.", ["1-0", "4-0"]))).toBe(
      "Move a man to pūtahi, the empty point: 2 of your men can go there.",
    );
    expect(prompt(now("WBBBWWW.B", ["0-8"]))).toBe("Only one man can move: the one on pūtahi, to kewai 8.");
  });

  it("tells what threatens and what would have saved the match", () => {
    const threat = { action: "7-8", cells: ["7", "8"], missing: ["8"], reason: "blocked" };
    expect(threatened(threat, "Tama")).toContain("Tama can block you by moving from kewai 7 to kewai 8");
    const rescue = { ply: 4, view: null, saves: ["2-1"], taken: "8-1", threats: [threat] };
    expect(rescued(rescue, "Tama")).toContain("by moving from kewai 2 to kewai 1");
  });
});
