import { beforeAll, describe, expect, it, vi } from "vitest";
import { loadLanguage } from "../../language/language.svelte";
import { cell, click, show } from "../testing";
import { face } from "./face";

beforeAll(() => loadLanguage("en"));

describe("MAUW", () => {
  it("plays a card on a column", async () => {
    const act = vi.fn();
    const root = await show(face, { actions: ["3>1A", "8>1C", "s>2B"], act });
    click(root.querySelector('[data-card="3"]'));
    click(cell(root, "0C"));
    expect(act).not.toHaveBeenCalled();
    click(cell(root, "0A"));
    expect(act).toHaveBeenCalledWith("3>1A");
  });

  it("asks what a joker stands for", async () => {
    const act = vi.fn();
    const root = await show(face, { actions: ["m=1>1D", "m=8>1D"], act });
    click(root.querySelector('[data-card="m"]'));
    click(cell(root, "0D"));
    expect(act).not.toHaveBeenCalled();
    click(root.querySelectorAll(".values .card-button")[1]!);
    expect(act).toHaveBeenCalledWith("m=8>1D");
  });

  it("covers the hand when the screen is handed over", async () => {
    const root = await show(face, { covered: true });
    expect(root.querySelectorAll("[data-card]")).toHaveLength(0);
    expect(root.querySelectorAll(".hand button")).toHaveLength(4);
  });

  it("shows no hand to somebody who watches", async () => {
    const { view } = face.picture;
    const root = await show(face, { view: { ...(view as object), seat: null, hand: null }, seat: -2 });
    expect(root.querySelector(".hand")).toBeNull();
  });
});
