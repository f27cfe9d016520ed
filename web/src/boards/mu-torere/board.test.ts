import { beforeAll, describe, expect, it, vi } from "vitest";
import { loadLanguage } from "../../language/language.svelte";
import { cell, click, show } from "../testing";
import { face } from "./face";

beforeAll(() => loadLanguage("en"));

describe("Mū tōrere", () => {
  const view = { position: { points: "BBBBWWWW.", turn: 0 }, occurrences: 1 };

  it("moves the man that is chosen", async () => {
    const act = vi.fn();
    const root = await show(face, { view, actions: ["1-0", "4-0"], act });
    click(cell(root, "2"));
    expect(act).not.toHaveBeenCalled();
    click(cell(root, "4"));
    expect(act).toHaveBeenCalledWith("4-0");
  });

  it("waits while an action is on its way, and draws it", async () => {
    const act = vi.fn();
    const root = await show(face, { view, actions: ["1-0", "4-0"], pending: "4-0", act });
    click(cell(root, "1"));
    expect(act).not.toHaveBeenCalled();
    expect(cell(root, "0").getAttribute("aria-label")).toBe("pūtahi: Black");
  });
});
