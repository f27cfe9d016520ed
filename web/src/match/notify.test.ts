import { describe, expect, it } from "vitest";
import { endSound } from "./notify";

describe("the sound at the end", () => {
  it("is that of a victory for a winner, of a defeat for a loser and neither for others", () => {
    expect(endSound([1], [1])).toBe("win");
    expect(endSound([0], [0, 1])).toBe("win");
    expect(endSound([0], [1])).toBe("lose");
    expect(endSound([], [1])).toBe("turn");
    expect(endSound([0], [])).toBe("turn");
  });
});
