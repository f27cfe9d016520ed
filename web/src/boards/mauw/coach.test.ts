import { beforeAll, describe, expect, it } from "vitest";
import { loadLanguage } from "../../language/language.svelte";
import { prompt, suggestion } from "./coach";
import { picture } from "./sections";
import type { View } from "./view";

const view = picture.view as View;

beforeAll(() => loadLanguage("en"));

describe("what to do now", () => {
  const now = (actions: string[], step: View["step"] = null): string =>
    prompt({ view: { ...view, step }, seat: 0, actions, options: {} });

  it("is said for every step of a turn", () => {
    expect(now(["3>1A"])).toBe("Choose a card, then a column.");
    expect(now(["+A"], { name: "put", top: null })).toBe("You gain a Mauw: put it on a lit column.");
    expect(now(["+A"], { name: "put", top: "6" })).toContain("6 green on a Mauw");
    expect(now(["x"])).toContain("discard your hand and draw four");
    expect(now([])).toBe("");
  });

  it("is said in an attack, with and without an answer", () => {
    const defend: View["step"] = { name: "defend", play: "5>1D", attacks: 1 };
    expect(now(["!5", "-"], defend)).toBe("Your warrior is attacked with 5 blue. Defend or give in?");
    expect(now(["-"], defend)).toContain("you have no answer");
    const press: View["step"] = { name: "press", play: "5>2A", attacks: 1 };
    expect(now(["!5", "-"], press)).toContain("Attack again or give in?");
    expect(now(["-"], press)).toContain("you cannot go on");
  });
});

describe("a suggestion", () => {
  it("is said without notation", () => {
    const said = (action: string): string => suggestion(action, { seat: 0 }, (seat) => `Hine ${seat}`);
    expect(said("7>1B")).toBe("Play 7 orange on your column B.");
    expect(said("m=s>3A")).toBe("Play Maui as spirit 0 on column A of Hine 2.");
    expect(said("+C")).toBe("Put the gain on your column C.");
    expect(said("!4")).toBe("Answer with 4 blue.");
    expect(said("-")).toBe("Give in.");
    expect(said("x")).toBe("Discard the hand.");
  });
});
