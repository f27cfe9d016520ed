import { beforeAll, describe, expect, it } from "vitest";
import { loadLanguage } from "../../language/language.svelte";
import { picture } from "./sections";
import type { View } from "./view";
import { prompt, suggestion, whyIllegal } from "./why";

const view = picture.view as View;
const why = (target: string, changes: Partial<View> = {}): string =>
  whyIllegal({ view: { ...view, ...changes }, seat: 0 }, target);

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

describe("why a card cannot be played", () => {
  it("on a warrior of another colour: it names the two that can", () => {
    expect(why("3>1D")).toBe(
      "3 green has another colour. Here goes a 5, which makes a pair, or a 4, which makes nine.",
    );
    expect(why("3>2C")).toContain("a 1, which makes a pair, or a 8");
  });

  it("where a spirit may not lie", () => {
    expect(why("s>1A")).toContain("does not go on a warrior");
    expect(why("s>1B")).toContain("your own Mauw");
    expect(why("s>2C")).toContain("does not go on a warrior");
    const empty = { ...view, zones: view.zones.map((zone) => zone.map(() => ({ mauw: 0, top: null }))) };
    expect(whyIllegal({ view: empty, seat: 0 }, "s>1A")).toContain("empty place");
  });

  it("in an enemy's zone", () => {
    expect(why("3>2D")).toBe("Nothing can be played on an enemy's empty place.");
    expect(why("m>2A")).toContain("Only the owner can take it off");
    expect(why("8>2A")).toContain("Only the owner can take it off");
  });

  it("without a place for it, or at the wrong time", () => {
    expect(why("s")).toContain("A spirit goes on an enemy's bare Mauw");
    expect(why("3")).toContain("or on a 3 or 6");
    expect(why("3>1A", { to_act: 1 })).toBe("It is not your turn.");
    expect(why("3", { step: { name: "defend", play: "5>1D", attacks: 1 } })).toContain("Only another 5 or Maui");
  });

  it("nor the gain be put", () => {
    const step: View["step"] = { name: "put", top: null };
    expect(why("+A", { step })).toContain("6 green lies here");
    expect(why("+B", { step })).toBe("A column has at most three Mauw.");
    expect(why(">2B", { step })).toContain("a column of your own");
    expect(why("3", { step })).toContain("First put your gain");
  });

  it("and nothing is said of what is allowed", () => {
    for (const target of ["3>1A", "8>1B", "s>2B", "m>1D", "1>2C", "8>2C"]) expect(why(target)).toBe("");
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
