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
    expect(now(["+A"], { name: "put", top: null })).toBe("You win a Mauw: place it on a highlighted column.");
    expect(now(["+A"], { name: "put", top: "6" })).toContain("the green 6 on a Mauw");
    expect(now(["x"])).toContain("discard your hand and draw four");
    expect(now([])).toBe("");
  });

  it("is said in an attack, with and without an answer", () => {
    const defend: View["step"] = { name: "defend", play: "5>1D", attacks: 1 };
    expect(now(["!5", "-"], defend)).toBe("Your warrior is attacked with the blue 5. Defend or give in?");
    expect(now(["-"], defend)).toContain("you have no answer");
    const press: View["step"] = { name: "press", play: "5>2A", attacks: 1 };
    expect(now(["!5", "-"], press)).toContain("Attack again or give in?");
    expect(now(["-"], press)).toContain("you cannot attack again");
  });
});

describe("a suggestion", () => {
  it("is said without notation", () => {
    const said = (action: string): string => suggestion(action, { seat: 0 }, (seat) => `Hine ${seat}`);
    expect(said("7>1B")).toBe("Play the orange 7 on your column B.");
    expect(said("m=s>3A")).toBe("Play Maui as spirit on Hine 2’s column A.");
    expect(said("+C")).toBe("Place it on your column C.");
    expect(said("!4")).toBe("Answer with the blue 4.");
    expect(said("-")).toBe("Give in.");
    expect(said("x")).toBe("Discard your hand.");
  });
});
