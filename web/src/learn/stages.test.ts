import { describe, expect, it } from "vitest";
import { advanceStage, BEGIN, stageOf, type Result } from "./stages";

const stages = [
  { options: { variant: "beginner" }, bot: "1" },
  { options: { variant: "beginner" }, bot: "2" },
  { options: { variant: "basic" }, bot: "2" },
];
const played = (match: string, number: number, won: boolean, lost = !won): Result => ({
  match,
  options: { ...stages[number]!.options, swap: false },
  bot: stages[number]!.bot,
  won,
  lost,
});

describe("stages", () => {
  it("finds the stage of a match by the options that the stage names", () => {
    expect(stageOf(stages, { variant: "basic", swap: true }, "2")).toBe(2);
    expect(stageOf(stages, { variant: "basic" }, "7")).toBe(-1);
  });

  it("goes on after a win, to the last stage at most", () => {
    const first = advanceStage(stages, BEGIN, played("a", 0, true));
    expect(first).toEqual({ at: 1, losses: 0, match: "a" });
    const last = advanceStage(stages, first, played("b", 2, true));
    expect(last.at).toBe(2);
    expect(advanceStage(stages, last, played("c", 0, true)).at).toBe(2);
  });

  it("goes back after two losses in a row, and not below the first stage", () => {
    const at = { at: 1, losses: 0, match: "" };
    const once = advanceStage(stages, at, played("a", 1, false));
    expect(once.at).toBe(1);
    expect(advanceStage(stages, once, played("b", 1, false))).toEqual({ at: 0, losses: 0, match: "b" });
    const drawn = advanceStage(stages, once, played("b", 1, false, false));
    expect(drawn).toEqual({ at: 1, losses: 1, match: "b" });
    expect(advanceStage(stages, { ...BEGIN, losses: 1 }, played("c", 0, false)).at).toBe(0);
  });

  it("counts each match once, and none above the own stage that is lost", () => {
    const once = advanceStage(stages, BEGIN, played("a", 0, false));
    expect(advanceStage(stages, once, played("a", 0, false))).toBe(once);
    expect(advanceStage(stages, once, played("b", 2, false)).losses).toBe(1);
  });
});
