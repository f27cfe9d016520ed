import { beforeAll, describe, expect, it, vi } from "vitest";
import { loadLanguage } from "../../language/language.svelte";
import { cell, click, LEGAL, press, show, showPart } from "../testing";
import { face } from "./face";
import type { View } from "./view";

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

  it("keeps the tile with a button", async () => {
    const act = vi.fn();
    const asked = { ...view, asked: { seat: 0, areas: ["f7"], sees } };
    const root = await show(face, { view: asked, actions: ["Tf7ne", "-"], act });
    const keep = root.querySelector(".question > button:last-child");
    expect(keep?.textContent).toBe("Keep the tile");
    click(keep);
    expect(act).toHaveBeenCalledWith("-");
  });

  it("says what each direction takes before it is chosen, beside or below the board and never over it", async () => {
    const act = vi.fn();
    const tiles = [
      { at: "e6", tribe: 1, worth: "1" },
      { at: "d5", tribe: 1, worth: "1" },
      { at: "b3", tribe: 1, worth: "1/2" },
      { at: "c4", tribe: 0, worth: "1" },
    ];
    const asked = { ...view, tiles, asked: { seat: 0, areas: ["f7"], sees: { ...sees, Tf7ne: ["g8"] } } };
    const actions = ["Tf7ne", "Tf7sw", "-"];
    const root = await show(face, { view: asked, actions, act });
    const told = [...root.querySelectorAll("[data-look]")].map((button) => button.textContent?.trim());
    expect(told).toEqual(["takes nothing", "−2½ Manaia, −1 Matau"]);
    expect(root.querySelector(".ground .question")).toBeNull();
    click(root.querySelector('[data-look="Tf7sw"]'));
    expect(act).toHaveBeenCalledWith("Tf7sw");
    const dock = document.createElement("div");
    await show(face, { view: asked, actions, act, dock });
    expect(dock.querySelectorAll("[data-look]")).toHaveLength(2);
  });

  it("rings the hollows that may take the ball: not the one where it lay", async () => {
    const empty = { ...view, position: { ...position, ball: null, stones: [[], []] } };
    const rings = async (options: Record<string, unknown>): Promise<number> =>
      (await show(face, { view: empty, options })).querySelectorAll(".place").length;
    expect(await rings({ moved_from: null })).toBe(9);
    expect(await rings({ moved_from: "f6" })).toBe(8);
  });

  it("hangs a hei-tiki on the stone that won", async () => {
    const outcome = { winners: [0], reason: "awa", scores: null, at: ["a9", "b10", "c11"] };
    const won = await show(face, { view, outcome, last: [0, "a9"] });
    expect(won.querySelector("[data-hei-tiki]")?.getAttribute("data-hei-tiki")).toBe("a9");
    const given = await show(face, { view, outcome: { ...outcome, reason: "resignation", at: [] }, last: [0, "a9"] });
    expect(given.querySelector("[data-hei-tiki]")).toBeNull();
  });

  it("shows the line that won", async () => {
    const outcome = { winners: [0], reason: "awa", scores: null, at: ["a9", "b10", "c11"] };
    const root = await show(face, { view, outcome });
    expect(root.querySelector(".winning")).toBeTruthy();
    expect(root.querySelectorAll(".won")).toHaveLength(3);
  });

  it("lays tiles in the colour of the tribe, with its sign on whole ones and ½ on the others", async () => {
    const root = await show(face);
    const tiles = [...root.querySelectorAll("[data-tile]")];
    expect(tiles).toHaveLength(10);
    expect(root.querySelectorAll("[data-tile] .sign")).toHaveLength(4);
    for (const tile of tiles) expect(tile.querySelector("path")!.getAttribute("fill")).toBeNull();
    expect(tiles.map((tile) => tile.textContent?.trim()).filter(Boolean)).toEqual(Array(6).fill("½"));
  });

  it("names rows and columns beside the board, not on it", async () => {
    const root = await show(face, { view });
    const [rows, columns] = [...root.querySelectorAll("[data-gutter]")];
    expect([...rows!.children].map((row) => row.textContent)).toEqual("11 10 9 8 7 6 5 4 3 2 1".split(" "));
    expect([...columns!.children].map((column) => column.textContent).join("")).toBe("abcdefghijk");
    expect(root.querySelector("svg text")).toBeNull();
  });

  it("rings the nine hollows of the ball, and marks no hollow for stones unless asked to", async () => {
    const empty = { ...view, position: { ...position, ball: null, stones: [[], []] } };
    const root = await show(face, { view: empty, marks: { ...LEGAL, legal: false }, act: vi.fn() });
    expect(root.querySelectorAll(".place")).toHaveLength(9);
    expect(root.querySelectorAll(".legal")).toHaveLength(0);
  });

  it("lets what is one stone from winning glow, the other's line with all of its hollows", async () => {
    const threat = { action: "k5", cells: ["k3", "k5", "k7", "k9"], missing: ["k5"], reason: "ara" };
    const marks = { ...LEGAL, wins: ["b10"], stops: ["k5"], threats: [threat] };
    const root = await show(face, { view, actions: ["b10", "k5"], marks, act: vi.fn() });
    const glow = (kind: string) => root.querySelector(`[data-glow=${kind}] .ring`)!;
    expect([glow("wins").getAttribute("cx"), glow("wins").getAttribute("cy")]).toEqual(["-80", "-80"]);
    expect([glow("threat").getAttribute("cx"), glow("threat").getAttribute("cy")]).toEqual(["100", "20"]);
    expect(root.querySelector("[data-threat] .line")!.getAttribute("d")).toBe("M100 -60L100 -20L100 20L100 60");
  });

  it("weighs the points in a bar that moves with the lead", async () => {
    const border = async (scores: View["scores"]) => {
      const root = await show(face, { view: { ...view, scores } });
      return Number(root.querySelector("[data-border]")?.getAttribute("data-border"));
    };
    expect(await border(["3", "3"])).toBe(50);
    expect(await border(["7/2", "1"])).toBe(60);
    expect(await border(["0", "20"])).toBe(4);
    const root = await show(face, { view: { ...view, scores: ["7/2", "1"] } });
    expect(root.querySelector("[role=img]")!.getAttribute("aria-label")).toContain("Matau 3½, Manaia 1");
    expect((await show(face, { view })).querySelector("[data-border]")).toBeNull();
  });

  it("tells the stones, tiles and Tane of a tribe in its strip", async () => {
    const { view: whole, options } = face.picture;
    const root = await showPart(face.Strip!, { view: whole, options, seat: 1 });
    expect([...root.querySelectorAll("li")].map((item) => item.getAttribute("title"))).toEqual([
      "7 stones left",
      "3 full tiles, 4 half tiles",
      "17 tiles left in the whata",
      "Tane on j7, looking north-west",
    ]);
    expect([...root.querySelectorAll("strong")].map((value) => value.textContent)).toEqual(["7", "5", "17"]);
    const beginner = await showPart(face.Strip!, { view, options: { variant: "beginner" }, seat: 0 });
    expect(beginner.querySelectorAll("li")).toHaveLength(1);
  });

  describe("how a game is expected to end", () => {
    const name = (seat: number): string => ["Matau", "Manaia"][seat]!;
    const endings = [
      { reason: "marae", winner: 1, chance: 0.6 },
      { reason: "marae", winner: 0, chance: 0.29 },
      { reason: "awa", winner: 0, chance: 0.1 },
      { reason: "ara", winner: 1, chance: 0.01 },
    ];
    const texts = (root: HTMLElement): string[] =>
      [...root.querySelectorAll("li")].map((item) => item.textContent!.replace(/\s+/g, " ").trim());

    it("is said in tiles and by the ways to win, the unlikely ones left out", async () => {
      const prediction = { score: 0.39, lead: -2.4, endings };
      const root = await showPart(face.Prediction!, { prediction, name });
      expect(root.querySelector("p")!.textContent).toBe("Forecast: Manaia ahead by 2½ tiles");
      expect(texts(root)).toEqual(["Marae for Manaia 60%", "Marae for Matau 29%", "Awa for Matau 10%"]);
      const parts = [...root.querySelectorAll<HTMLElement>(".bar i")];
      expect(parts.map((part) => Number(part.style.flexGrow))).toEqual([0.1, 0.29, 0.6, 0.01]);
      expect(root.querySelector(".bar")!.getAttribute("aria-hidden")).toBe("true");
    });

    it("counts half a tile and one tile, and says when both have as many", async () => {
      const lead = async (tiles: number): Promise<string> => {
        const root = await showPart(face.Prediction!, { prediction: { score: 0.5, lead: tiles, endings }, name });
        return root.querySelector("p")!.textContent!;
      };
      expect(await lead(0.6)).toBe("Forecast: Matau ahead by ½ tile");
      expect(await lead(1)).toBe("Forecast: Matau ahead by 1 tile");
      expect(await lead(-0.1)).toBe("Forecast: level on tiles");
    });

    it("has no tiles in the beginner's game, and draws", async () => {
      const drawn = [{ reason: "draw", winner: null, chance: 1 }];
      const prediction = { score: 0.5, lead: null, endings: drawn };
      const root = await showPart(face.Prediction!, { prediction, name });
      expect(root.querySelector("p")).toBeNull();
      expect(texts(root)).toEqual(["Draw 100%"]);
    });
  });
});
