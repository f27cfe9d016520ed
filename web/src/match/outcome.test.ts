import { beforeAll, describe, expect, it } from "vitest";
import { loadLanguage } from "../language/language.svelte";
import { reason, score, scoreValue, verdict } from "./outcome";

const name = (seat: number): string => ["Hine", "Tama", "Ana"][seat] ?? "";
const outcome = (winners: number[], reason: string) => ({ winners, reason, scores: null, at: [] });

beforeAll(() => loadLanguage("en"));

describe("an outcome", () => {
  it("says who won, as seen from one's own seats", () => {
    expect(verdict(outcome([0], "time"), [0], name)).toBe("You won!");
    expect(verdict(outcome([0], "time"), [1], name)).toBe("Hine won.");
    expect(verdict(outcome([0, 2], "time"), [2], name)).toBe("You share the win!");
    expect(verdict(outcome([0, 2], "time"), [], name)).toBe("Hine and Ana won.");
    expect(verdict(outcome([], "agreement"), [0], name)).toBe("Draw.");
    expect(verdict(outcome([], "aborted"), [0], name)).toBe("The match was cancelled.");
    expect(verdict(outcome([], "cancelled"), [0], name)).toBe("The match was cancelled.");
  });

  it("has the reason in words if it is known, in those of the game first", () => {
    expect(reason("nim", outcome([0], "time"))).toBe("Out of time.");
    expect(reason("nim", outcome([0], "last stone"))).toBe("last stone");
  });

  it("has scores in halves as people write them", () => {
    expect(["0", "1/2", "7/2", "4"].map(score)).toEqual(["0", "½", "3½", "4"]);
    expect(["0", "1/2", "7/2"].map(scoreValue)).toEqual([0, 0.5, 3.5]);
  });
});
