import { beforeAll, describe, expect, it, vi } from "vitest";
import { loadLanguage } from "../../language/language.svelte";
import { cell, click, LEGAL, press, show } from "../testing";
import { face } from "./face";

beforeAll(() => loadLanguage("en"));

describe("Moeraki-Kemu", () => {
  const position = { ball: "f6", stones: [["a9"], ["c11"]], tane: [null, null], turn: 0 };
  const view = { position, tiles: [], barred: [], sees: [null, null], scores: null, asked: null };
  const sees = { Tf7sw: ["e6", "d5", "c4", "b3"] };

  it("lays a stone with the keyboard", async () => {
    const act = vi.fn();
    const root = await show(face, { view, actions: ["b10", "f8"], act });
    press(cell(root, "b10"), "Enter");
    expect(act).toHaveBeenCalledWith("b10");
  });

  it("places the ball where only the ball may go", async () => {
    const act = vi.fn();
    const empty = { ...view, position: { ...position, ball: null, stones: [[], []] } };
    const root = await show(face, { view: empty, actions: ["@f6", "@f8"], act });
    click(cell(root, "f8"));
    expect(act).toHaveBeenCalledWith("@f8");
  });

  it("asks for an area and then for a direction of the Tane", async () => {
    const act = vi.fn();
    const asked = { ...view, asked: { seat: 0, areas: ["f7"], sees } };
    const actions = ["Tf7ne", "Tf7nw", "Tf7se", "Tf7sw", "-"];
    const root = await show(face, { view: asked, options: { variant: "master" }, actions, act });
    click(cell(root, "f5"));
    click(cell(root, "f7"));
    expect(act).not.toHaveBeenCalled();
    click(cell(root, "Tf7sw"));
    expect(act).toHaveBeenCalledWith("Tf7sw");
  });

  it("keeps the focus on the board when directions take the place of areas", async () => {
    const asked = { ...view, asked: { seat: 0, areas: ["f7"], sees } };
    const actions = ["Tf7ne", "Tf7nw", "Tf7se", "Tf7sw", "-"];
    const root = await show(face, { view: asked, options: { variant: "master" }, actions, act: vi.fn() });
    (cell(root, "f7") as SVGElement).focus();
    press(cell(root, "f7"), "Enter");
    expect(document.activeElement?.getAttribute("data-cell")).toMatch(/^Tf7/);
  });

  it("draws a suggested Tane and where he would look", async () => {
    const asked = { ...view, asked: { seat: 0, areas: ["f7"], sees } };
    const marks = { ...LEGAL, suggested: "Tf7sw" };
    const root = await show(face, { view: asked, actions: ["Tf7ne", "Tf7sw", "-"], marks, act: vi.fn() });
    const line = root.querySelector('[data-placed="f7sw"] .sight')!;
    expect(["x1", "y1", "x2", "y2"].map((end) => line.getAttribute(end))).toEqual(["0", "-20", "-80", "60"]);
    expect(root.querySelector('[data-placed="f7sw"] .tane')).toBeTruthy();
  });

  it("draws a Tane on his way in the colour of whoever was asked, though the other is to move", async () => {
    const asked = { ...view, asked: { seat: 1, areas: ["f7"], sees } };
    const root = await show(face, { view: asked, seat: 1, pending: "Tf7sw", act: vi.fn() });
    expect(root.querySelector(".tribe1.tane:not(.waiting)")).toBeTruthy();
    expect(root.querySelector(".tribe0.tane:not(.waiting)")).toBeNull();
  });

  it("keeps the tiles with a button", async () => {
    const act = vi.fn();
    const asked = { ...view, asked: { seat: 0, areas: ["f7"], sees } };
    const root = await show(face, { view: asked, actions: ["Tf7ne", "-"], act });
    click(root.querySelector(".ask button"));
    expect(act).toHaveBeenCalledWith("-");
  });

  it("shows the line that won", async () => {
    const outcome = { winners: [0], reason: "awa", scores: null, at: ["a9", "b10", "c11"] };
    const root = await show(face, { view, outcome });
    expect(root.querySelector(".winning")).toBeTruthy();
    expect(root.querySelectorAll(".won")).toHaveLength(3);
  });
});
