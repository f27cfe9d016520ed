import { beforeAll, describe, expect, it } from "vitest";
import { loadLanguage } from "../language/language.svelte";
import { proofOf, scoreText, signOf, toneOf } from "./score";

const line = (score: number, proven: string | null = null) => ({ action: "f6", score, pv: ["f6"], proven });

describe("what the engine says of an action", () => {
  beforeAll(() => loadLanguage("en"));

  it("is what is proved, with its distance", () => {
    expect(proofOf("win in 5")).toEqual({ result: "win", count: 5 });
    expect(proofOf("draw")).toEqual({ result: "draw", count: null });
    expect(signOf(line(1, "win in 5"))).toBe("+5");
    expect(signOf(line(0, "loss in 3"))).toBe("−3");
    expect(signOf(line(0.5, "draw"))).toBe("=");
    expect(scoreText(line(1, "win in 1"))).toBe("win in 1");
    expect(toneOf(line(0, "loss in 3"))).toBe("loss");
  });

  it("is the score to expect where nothing is proved", () => {
    expect(proofOf(null)).toBeNull();
    expect(signOf(line(0.637))).toBe("64");
    expect(scoreText(line(0.637))).toBe("64 %");
    expect(toneOf(line(0.637))).toBe("open");
  });
});
