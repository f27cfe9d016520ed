import { beforeAll, describe, expect, it, vi } from "vitest";
import { loadLanguage } from "../../language/language.svelte";
import { session } from "../../session.svelte";
import { faceOf } from "../face";
import { click, LEGAL, press, show } from "../testing";
import { genericFace } from "./face";

const game = {
  key: "nim",
  title: "Nim",
  summary: "Take the last stone.",
  how_to_play: "Take one to three stones.",
  seats: 2,
  options: { misere: false, heap: 12 },
  bots: ["random"],
  default_bot: "random",
  bot_cards: [],
  seat_names: ["First", "Second"],
  series: [],
  hidden: false,
  solved: false,
  text: "o o o\no o",
};
const face = genericFace(game);
const actions = ["1", "2", "3"];
const words = ["take one", "take two", "take three"];
const buttons = (root: HTMLElement): HTMLElement[] => [...root.querySelectorAll("button")];

beforeAll(() => loadLanguage("en"));

describe("the face of a game without a board of its own", () => {
  it("is made of what the server says of the game", async () => {
    session.games = [game];
    const found = (await faceOf("nim"))!;
    expect([0, 1, 2].map(found.seatName)).toEqual(["First", "Second", "Player 3"]);
    expect(found.choices).toEqual([{ option: "misere", values: [false, true] }]);
    expect(found.picture.text).toBe(game.text);
  });

  it("writes lines of the log with who acted", () => {
    const name = (seat: number): string => `Player ${seat}`;
    expect(face.describe("2", 1, name)).toBe("Player 1: 2");
    expect(face.describe("deal", -1, name)).toBe("deal");
  });

  it("shows the text drawing and a button for each action", async () => {
    const act = vi.fn();
    const root = await show(face, { actions, words, act });
    expect(root.querySelector("pre")?.textContent).toBe(game.text);
    expect(buttons(root).map((button) => button.textContent?.replace(/\s+/g, " ").trim())).toEqual([
      "1 take one",
      "2 take two",
      "3 take three",
    ]);
    click(buttons(root)[1]!);
    expect(act).toHaveBeenCalledWith("2");
  });

  it("has one Tab stop, and the arrow keys move among the actions", async () => {
    const root = await show(face, { actions, words, act: vi.fn() });
    const stops = (): number[] => buttons(root).map((button) => button.tabIndex);
    expect(stops()).toEqual([0, -1, -1]);
    buttons(root)[0]!.focus();
    press(buttons(root)[0]!, "ArrowRight");
    expect(document.activeElement).toBe(buttons(root)[1]);
    press(buttons(root)[1]!, "End");
    expect(document.activeElement).toBe(buttons(root)[2]);
    press(buttons(root)[2]!, "ArrowRight");
    expect(document.activeElement).toBe(buttons(root)[2]);
    press(buttons(root)[2]!, "Home");
    expect(document.activeElement).toBe(buttons(root)[0]);
  });

  it("waits while an action is on its way", async () => {
    const act = vi.fn();
    const root = await show(face, { actions, words, pending: "1", act });
    for (const button of buttons(root)) click(button);
    expect(act).not.toHaveBeenCalled();
    expect(root.querySelector(".pending")?.getAttribute("data-action")).toBe("1");
  });

  it("offers nothing when it is not our turn", async () => {
    expect(buttons(await show(face, { act: vi.fn() }))).toEqual([]);
    expect(buttons(await show(face, { actions }))).toEqual([]);
  });

  it("marks what is suggested and what wins at once", async () => {
    const marks = { ...LEGAL, suggested: "2", wins: ["3"] };
    const root = await show(face, { actions, words, marks, act: vi.fn() });
    expect(root.querySelector(".hinted")?.getAttribute("data-action")).toBe("2");
    expect(buttons(root)[2]!.textContent).toContain("(wins at once)");
  });

  it("covers the drawing when the screen is handed over", async () => {
    const root = await show(face, { covered: true });
    expect(root.querySelector("pre")).toBeNull();
  });
});
