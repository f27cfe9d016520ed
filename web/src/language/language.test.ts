import { describe, expect, it } from "vitest";
import { LANGUAGES, listed, speak, t, told } from "./language.svelte";

type Catalogue = Record<string, string | Record<string, string>>;
const catalogues = import.meta.glob<Catalogue>("./*.json", { import: "default", eager: true });
const english = catalogues["./en.json"]!;
const names = (entry: string | Record<string, string>): string[] => {
  const text = typeof entry === "string" ? entry : Object.values(entry).join(" ");
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!))].sort();
};

describe("the catalogues", () => {
  it("are English, French, German and whatever was added", () => {
    expect(LANGUAGES.map(({ tag }) => tag)).toEqual(expect.arrayContaining(["de", "en", "fr"]));
    expect(LANGUAGES.find(({ tag }) => tag === "fr")?.name).toBe("Français");
  });

  for (const [file, catalogue] of Object.entries(catalogues)) {
    it(`${file} has every text, with the same names in it`, () => {
      expect(Object.keys(catalogue).sort()).toEqual(Object.keys(english).sort());
      for (const [key, entry] of Object.entries(catalogue)) {
        expect([key, names(entry)]).toEqual([key, names(english[key]!)]);
        expect(JSON.stringify(entry).includes('""')).toBe(false);
      }
    });

    it(`${file} has every plural form its language needs`, () => {
      const { pluralCategories } = new Intl.PluralRules(file.slice(2, -5)).resolvedOptions();
      for (const [key, entry] of Object.entries(catalogue)) {
        if (typeof entry === "object")
          expect([key, Object.keys(entry).sort()]).toEqual([key, [...pluralCategories].sort()]);
      }
    });

    it(`${file} writes Māori words with their macrons`, () => {
      const text = JSON.stringify(catalogue);
      for (const bare of ["Mu torere", "putahi ", "Maori"]) expect(text).not.toContain(bare);
    });
  }
});

describe("a text", () => {
  it("takes values, numbers and plurals of its language", async () => {
    await speak("en");
    expect(t("mauw.points", { count: 1 })).toBe("1 point");
    expect(t("mauw.points", { count: 1200 })).toBe("1,200 points");
    expect(listed(["Hine", "Tama", "Ana"])).toBe("Hine, Tama, and Ana");
    await speak("de");
    expect(t("mauw.points", { count: 1200 })).toBe("1.200 Punkte");
    await speak("fr");
    expect(t("mauw.cards", { count: 0 })).toBe("0 carte");
    expect(t("mauw.cards", { count: 2 })).toBe("2 cartes");
  });

  it("falls back to what a newer server may say", async () => {
    await speak("en");
    expect(told("reason.unheard-of", "unheard-of")).toBe("unheard-of");
  });

  it("falls back to English for a language we do not have", async () => {
    await speak("xx");
    expect(document.documentElement.lang).toBe("en");
  });
});
