import { describe, expect, it } from "vitest";
import { ending } from "./news";

describe("the sound at the end", () => {
  it("is that of a victory for a winner, of a defeat for a loser and neither for others", () => {
    expect(ending([1], [1])).toBe("win");
    expect(ending([0], [0, 1])).toBe("win");
    expect(ending([0], [1])).toBe("lose");
    expect(ending([], [1])).toBe("turn");
    expect(ending([0], [])).toBe("turn");
  });
});
