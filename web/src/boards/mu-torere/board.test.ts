import { beforeAll, describe, expect, it, vi } from "vitest";
import { loadLanguage } from "../../language/language.svelte";
import { cell, click, show, showPart } from "../testing";
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

  const trail = (root: HTMLElement): string => root.querySelector("[data-trail]")!.getAttribute("d")!;

  it("draws the last move along the arc, and straight where it went through the middle", async () => {
    const stepped = { position: { points: "BBBW.WWWB", turn: 0 }, occurrences: 1 };
    expect(trail(await show(face, { view: stepped, last: [1, "5-4"] }))).toBe("M0 82A82 82 0 0 0 57.98 57.98");
    expect(trail(await show(face, { view, last: [0, "0-4"] }))).toBe("M0 0L57.98 57.98");
  });

  it("dims the men of the side to move that cannot move, and no others", async () => {
    const root = await show(face, { view, actions: ["1-0", "4-0"], act: vi.fn() });
    const dimmed = [...root.querySelectorAll(".still")].map((man) => man.getAttribute("data-man"));
    expect(dimmed).toEqual(["2", "3"]);
    expect((await show(face, { view })).querySelector(".still")).toBeNull();
  });

  it("dims the men of who is blocked at the end", async () => {
    const blocked = { position: { points: "BBBBWW.WW", turn: 0 }, occurrences: 1 };
    const outcome = { winners: [1], reason: "blocked", scores: null, at: [] };
    const root = await show(face, { view: blocked, outcome });
    expect([...root.querySelectorAll(".still")].map((man) => man.getAttribute("data-man"))).toEqual([
      "1",
      "2",
      "3",
      "4",
    ]);
    expect(root.querySelectorAll(".won")).toHaveLength(4);
  });

  it("gives each player a man as a sign", async () => {
    expect((await showPart(face.Piece!, { seat: 0 })).querySelector(".hook")).toBeTruthy();
    expect((await showPart(face.Piece!, { seat: 1 })).querySelector(".bird")).toBeTruthy();
  });
});
