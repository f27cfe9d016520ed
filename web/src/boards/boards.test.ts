import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { speak } from "../language/language.svelte";
import { faceOf, GAMES, NO_MARKS, type BoardProps } from "./face";

const LINES: Record<string, string> = { "moeraki-kemu": "f8", "mu-torere": "4-0", mauw: "7>1B" };
const legal = { ...NO_MARKS, legal: true };
let shown: Record<string, unknown> | undefined;

async function show(game: string, props: Partial<BoardProps>): Promise<HTMLElement> {
  const face = (await faceOf(game))!;
  const picture = face.picture;
  const defaults: BoardProps = {
    view: picture.view,
    options: picture.options,
    seat: picture.seat ?? 0,
    actions: [],
    pending: null,
    last: null,
    outcome: null,
    names: ["Hine", "Tama", "Ana"],
    marks: legal,
  };
  document.body.replaceChildren();
  shown = mount(face.Board, { target: document.body, props: { ...defaults, ...props } });
  flushSync();
  return document.body;
}

const cell = (root: HTMLElement, key: string): Element => root.querySelector(`[data-cell="${key}"]`)!;
const press = (element: Element, key: string): void => {
  element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  flushSync();
};
const click = (element: Element | null): void => {
  element!.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  flushSync();
};

beforeAll(() => speak("en"));
afterEach(async () => {
  if (shown) await unmount(shown);
  shown = undefined;
});

describe("every board", () => {
  for (const game of GAMES) {
    it(`${game} is a labelled grid in which one cell can be reached with Tab`, async () => {
      const root = await show(game, {});
      expect(root.querySelector("[role=grid]")?.getAttribute("aria-label")).toContain("Board of");
      const cells = [...root.querySelectorAll("[role=gridcell]")];
      expect(cells.filter((each) => each.getAttribute("tabindex") === "0")).toHaveLength(1);
      for (const each of cells) expect(each.getAttribute("aria-label")).toBeTruthy();
    });

    it(`${game} offers nothing when it is not our turn`, async () => {
      const act = vi.fn();
      const root = await show(game, { act });
      for (const each of root.querySelectorAll("[role=gridcell]")) click(each);
      expect(act).not.toHaveBeenCalled();
    });

    it(`${game} tells its lines in words`, async () => {
      const face = (await faceOf(game))!;
      expect(face.say(LINES[game]!, 0, (seat) => `Player ${seat}`)).toContain("Player 0");
    });

    it(`${game} has texts for its course and its rules`, async () => {
      const face = (await faceOf(game))!;
      const catalogue = (await import("../language/en.json")).default as Record<string, unknown>;
      for (const { key } of face.course) {
        for (const part of ["title", "text", "right"])
          expect(catalogue).toHaveProperty([`learn.${game}.${key}.${part}`]);
      }
      for (const { key } of face.sections) {
        for (const part of ["title", "text"]) expect(catalogue).toHaveProperty([`rules.${game}.${key}.${part}`]);
      }
    });
  }
});

describe("Mū tōrere", () => {
  const view = { position: { points: "BBBBWWWW.", turn: 0 }, occurrences: 1 };

  it("moves the man that is chosen", async () => {
    const act = vi.fn();
    const root = await show("mu-torere", { view, actions: ["1-0", "4-0"], act });
    click(cell(root, "2"));
    expect(act).not.toHaveBeenCalled();
    click(cell(root, "4"));
    expect(act).toHaveBeenCalledWith("4-0");
  });

  it("waits while an action is on its way, and draws it", async () => {
    const act = vi.fn();
    const root = await show("mu-torere", { view, actions: ["1-0", "4-0"], pending: "4-0", act });
    click(cell(root, "1"));
    expect(act).not.toHaveBeenCalled();
    expect(cell(root, "0").getAttribute("aria-label")).toBe("pūtahi: Black");
  });
});

describe("Moeraki-Kemu", () => {
  const position = { ball: "f6", stones: [["a9"], ["c11"]], tane: [null, null], turn: 0 };
  const view = { position, tiles: [], barred: [], scores: null, asked: null };

  it("lays a stone with the keyboard", async () => {
    const act = vi.fn();
    const root = await show("moeraki-kemu", { view, actions: ["b10", "f8"], act });
    press(cell(root, "b10"), "Enter");
    expect(act).toHaveBeenCalledWith("b10");
  });

  it("places the ball where only the ball may go", async () => {
    const act = vi.fn();
    const empty = { ...view, position: { ...position, ball: null, stones: [[], []] } };
    const root = await show("moeraki-kemu", { view: empty, actions: ["@f6", "@f8"], act });
    click(cell(root, "f8"));
    expect(act).toHaveBeenCalledWith("@f8");
  });

  it("asks for an area and then for a direction of the Tane", async () => {
    const act = vi.fn();
    const asked = { ...view, asked: { seat: 0, areas: ["f7"] } };
    const actions = ["Tf7ne", "Tf7nw", "Tf7se", "Tf7sw", "-"];
    const root = await show("moeraki-kemu", { view: asked, options: { variant: "master" }, actions, act });
    click(cell(root, "f5"));
    click(cell(root, "f7"));
    expect(act).not.toHaveBeenCalled();
    click(cell(root, "Tf7sw"));
    expect(act).toHaveBeenCalledWith("Tf7sw");
  });

  it("keeps the focus on the board when directions take the place of areas", async () => {
    const asked = { ...view, asked: { seat: 0, areas: ["f7"] } };
    const actions = ["Tf7ne", "Tf7nw", "Tf7se", "Tf7sw", "-"];
    const root = await show("moeraki-kemu", { view: asked, options: { variant: "master" }, actions, act: vi.fn() });
    (cell(root, "f7") as SVGElement).focus();
    press(cell(root, "f7"), "Enter");
    expect(document.activeElement?.getAttribute("data-cell")).toMatch(/^Tf7/);
  });

  it("draws a suggested Tane and where he would look", async () => {
    const asked = { ...view, asked: { seat: 0, areas: ["f7"] } };
    const marks = { ...legal, suggested: "Tf7sw" };
    const root = await show("moeraki-kemu", { view: asked, actions: ["Tf7ne", "Tf7sw", "-"], marks, act: vi.fn() });
    const line = root.querySelector('[data-sent="f7sw"] .sight')!;
    expect(["x1", "y1", "x2", "y2"].map((end) => line.getAttribute(end))).toEqual(["0", "-20", "-80", "60"]);
    expect(root.querySelector('[data-sent="f7sw"] .tane')).toBeTruthy();
  });

  it("draws a Tane on his way in the colour of whoever was asked, though the other is to move", async () => {
    const asked = { ...view, asked: { seat: 1, areas: ["f7"] } };
    const root = await show("moeraki-kemu", { view: asked, seat: 1, pending: "Tf7sw", act: vi.fn() });
    expect(root.querySelector(".tribe1.tane:not(.waiting)")).toBeTruthy();
    expect(root.querySelector(".tribe0.tane:not(.waiting)")).toBeNull();
  });

  it("keeps the tiles with a button", async () => {
    const act = vi.fn();
    const asked = { ...view, asked: { seat: 0, areas: ["f7"] } };
    const root = await show("moeraki-kemu", { view: asked, actions: ["Tf7ne", "-"], act });
    click(root.querySelector(".ask button"));
    expect(act).toHaveBeenCalledWith("-");
  });

  it("shows the line that won", async () => {
    const outcome = { winners: [0], reason: "awa", scores: null, at: ["a9", "b10", "c11"] };
    const root = await show("moeraki-kemu", { view, outcome });
    expect(root.querySelector(".winning")).toBeTruthy();
    expect(root.querySelectorAll(".won")).toHaveLength(3);
  });
});

describe("MAUW", () => {
  it("plays a card on a column", async () => {
    const act = vi.fn();
    const root = await show("mauw", { actions: ["3>1A", "8>1C", "s>2B"], act });
    click(root.querySelector('[data-card="3"]'));
    click(cell(root, "0C"));
    expect(act).not.toHaveBeenCalled();
    click(cell(root, "0A"));
    expect(act).toHaveBeenCalledWith("3>1A");
  });

  it("asks what a joker stands for", async () => {
    const act = vi.fn();
    const root = await show("mauw", { actions: ["m=1>1D", "m=8>1D"], act });
    click(root.querySelector('[data-card="m"]'));
    click(cell(root, "0D"));
    expect(act).not.toHaveBeenCalled();
    click(root.querySelectorAll(".values .hold")[1]!);
    expect(act).toHaveBeenCalledWith("m=8>1D");
  });

  it("covers the hand when the screen is handed over", async () => {
    const root = await show("mauw", { covered: true });
    expect(root.querySelectorAll("[data-card]")).toHaveLength(0);
    expect(root.querySelectorAll(".hand button")).toHaveLength(4);
  });

  it("shows no hand to somebody who watches", async () => {
    const { view } = (await faceOf("mauw"))!.picture;
    const root = await show("mauw", { view: { ...(view as object), seat: null, hand: null }, seat: -2 });
    expect(root.querySelector(".hand")).toBeNull();
  });
});
