import { describe, expect, it } from "vitest";
import { formatDay, formatList, LANGUAGES, loadLanguage, lookup, lookupAll, t, type Key } from "./language.svelte";

type Catalogue = Record<string, string | Record<string, string>>;
const catalogues = {
  ...import.meta.glob<Catalogue>("./*.json", { import: "default", eager: true }),
  ...import.meta.glob<Catalogue>("../boards/*/language/*.json", { import: "default", eager: true }),
  ...import.meta.glob<Catalogue>("../../../src/kemu/people/language/*.json", { import: "default", eager: true }),
};
const english = (file: string): Catalogue => catalogues[file.replace(/[a-z]+\.json$/, "en.json")]!;
const names = (entry: string | Record<string, string>): string[] => {
  const text = typeof entry === "string" ? entry : Object.values(entry).join(" ");
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!))].sort();
};

describe("the catalogues", () => {
  it("are English, French, German and whatever was added", () => {
    expect(LANGUAGES.map(({ tag }) => tag)).toEqual(expect.arrayContaining(["de", "en", "fr"]));
    const tags = Object.keys(catalogues).flatMap((file) => /^\.\/(\w+)\.json$/.exec(file)?.[1] ?? []);
    expect(LANGUAGES.map(({ tag }) => tag)).toEqual(tags);
    expect(LANGUAGES.find(({ tag }) => tag === "fr")?.name).toBe("Français");
  });

  it("have no key in common", () => {
    const keys = Object.entries(catalogues).flatMap(([file, catalogue]) =>
      file.endsWith("/en.json") ? Object.keys(catalogue) : [],
    );
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  for (const [file, catalogue] of Object.entries(catalogues)) {
    it(`${file} has every text, with the same names in it`, () => {
      expect(Object.keys(catalogue).sort()).toEqual(Object.keys(english(file)).sort());
      for (const [key, entry] of Object.entries(catalogue)) {
        expect([key, names(entry)]).toEqual([key, names(english(file)[key]!)]);
        expect(JSON.stringify(entry).includes('""')).toBe(false);
      }
    });

    it(`${file} has every plural form its language needs`, () => {
      const { pluralCategories } = new Intl.PluralRules(file.slice(-7, -5)).resolvedOptions();
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
    const watching = (count: number): string => t("match.watching", { count });
    await loadLanguage("en");
    expect(t("setup.wins", { count: 1 })).toBe("One game");
    expect(watching(1200)).toBe("1,200 watching");
    expect(formatList(["Hine", "Tama", "Ana"])).toBe("Hine, Tama, and Ana");
    await loadLanguage("de");
    expect(t("clock.days", { count: 1200 })).toContain("1.200 Tage");
    await loadLanguage("fr");
    expect(t("clock.days", { count: 0 })).toMatch(/^0 jour /);
    expect(t("clock.days", { count: 2 })).toMatch(/^2 jours /);
  });

  it("has in French the spaces at which no line ends", async () => {
    await loadLanguage("fr");
    expect(t("text.pair", { name: "Mū tōrere", value: t("home.rules") })).toBe("Mū tōrere\u00a0: Règles");
    for (const [key, text] of lookupAll("")) {
      expect([key, / [:;!?»]|« /.test(text)]).toEqual([key, false]);
      expect([key, /[\p{L}\d)][;!?]|\p{L}:(?=\s|$)/u.test(text)]).toEqual([key, false]);
    }
  });

  it("has days as one would say them", async () => {
    await loadLanguage("de");
    const noon = new Date();
    noon.setHours(12, 0, 0, 0);
    const ago = (days: number): string => formatDay(new Date(noon).setDate(noon.getDate() - days));
    expect(ago(0)).toBe("12:00");
    expect([ago(1), ago(2)]).toEqual(["gestern", "vorgestern"]);
    expect(formatDay(Date.UTC(2020, 4, 3, 12))).toBe("03.05.2020");
  });

  it("falls back to what a newer server may say", async () => {
    await loadLanguage("en");
    expect(lookup("reason.unknown", "unknown")).toBe("unknown");
    expect(t("no.such.key" as Key)).toBe("no.such.key");
  });

  it("is found by the beginning of its key, in the games' catalogues as well", async () => {
    await loadLanguage("en");
    expect(lookupAll("word.").map(([word]) => word)).toEqual(expect.arrayContaining(["Kemu", "Koru", "Marae"]));
  });

  it("falls back to English for a language there is not", async () => {
    await loadLanguage("xx");
    expect(document.documentElement.lang).toBe("en");
  });
});
