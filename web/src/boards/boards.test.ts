import { beforeAll, describe, expect, it, vi } from "vitest";
import { loadLanguage, loadLongTexts, lookup } from "../language/language.svelte";
import { faceOf, hasFace } from "./face";
import { click, show } from "./testing";

const GAMES = Object.keys(import.meta.glob("./*/course.ts")).map((file) => file.split("/")[1]!);

// A face is compiled when it is first loaded, which takes longer than a test may.
beforeAll(async () => {
  await loadLanguage("en");
  await loadLongTexts();
  await Promise.all(GAMES.map((game) => faceOf(game)));
}, 60_000);

describe("every board", () => {
  it("is found by the name of its folder", async () => {
    expect(GAMES.length).toBeGreaterThanOrEqual(3);
    expect(GAMES.every(hasFace)).toBe(true);
    expect(["generic", "nothing"].some(hasFace)).toBe(false);
    expect(await faceOf("nothing")).toBeUndefined();
  });

  for (const game of GAMES) {
    it(`${game} is a labelled grid in which one cell can be reached with Tab`, async () => {
      const root = await show((await faceOf(game))!);
      expect(root.querySelector("[role=grid]")?.getAttribute("aria-label")).toContain(" board");
      const cells = [...root.querySelectorAll("[role=gridcell]")];
      expect(cells.filter((each) => each.getAttribute("tabindex") === "0")).toHaveLength(1);
      for (const each of cells) expect(each.getAttribute("aria-label")).toBeTruthy();
    });

    it(`${game} offers nothing when it is not our turn`, async () => {
      const act = vi.fn();
      const root = await show((await faceOf(game))!, { act });
      for (const each of root.querySelectorAll("[role=gridcell]")) click(each);
      expect(act).not.toHaveBeenCalled();
    });

    it(`${game} describes its lines in words`, async () => {
      const { course, describe } = (await faceOf(game))!;
      for (const { answer } of course) {
        for (const line of answer) expect(describe(line, 0, (seat) => `Player ${seat}`)).toContain("Player 0");
      }
    });

    it(`${game} has texts for its course and its rules`, async () => {
      const { course, sections } = (await faceOf(game))!;
      const keys = [
        ...course.flatMap(({ key }) => ["title", "text", "right"].map((part) => `learn.${game}.${key}.${part}`)),
        ...sections.flatMap(({ key }) => ["title", "text"].map((part) => `rules.${game}.${key}.${part}`)),
        ...["game", "summary", "credit"].map((kind) => `${kind}.${game}`),
      ];
      expect(keys.filter((key) => !lookup(key, ""))).toEqual([]);
    });
  }
});
