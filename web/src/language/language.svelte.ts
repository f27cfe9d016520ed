// Texts in the chosen language: the catalogue of the client and those of the games, merged.
import { preferences, setPreferences } from "../preferences.svelte";

type Plural = Partial<Record<Intl.LDMLPluralRule, string>>;
type Catalogue = Record<string, string | Plural>;
export type Key = keyof typeof import("./en.json");
export type Values = Record<string, string | number>;

const own = import.meta.glob<Catalogue>("./*.json", { import: "default" });
const files = { ...own, ...import.meta.glob<Catalogue>("../boards/*/language/*.json", { import: "default" }) };

/** The languages there are, each with its own name for itself. */
export const LANGUAGES = Object.keys(own).map((file) => {
  const tag = file.slice(2, -5);
  const name = new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
  return { tag, name: name.charAt(0).toLocaleUpperCase(tag) + name.slice(1) };
});

let shown = $state.raw<{ tag: string; catalogue: Catalogue }>({ tag: "en", catalogue: {} });

/** Loads a language and shows all texts in it; English for a language there is not. */
export async function loadLanguage(tag: string): Promise<void> {
  if (!(`./${tag}.json` in own)) return loadLanguage("en");
  const loaded = Object.entries(files).filter(([file]) => file.endsWith(`/${tag}.json`));
  const parts = await Promise.all(loaded.map(([, load]) => load()));
  shown = { tag, catalogue: Object.assign({}, ...parts) as Catalogue };
  document.documentElement.lang = tag;
}

/** The language chosen before, else the first of the browser's languages that there is. */
export function preferredLanguage(): string {
  const tags = [preferences.language, ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return tags.find((tag) => `./${tag}.json` in own) ?? "en";
}

export async function chooseLanguage(tag: string): Promise<void> {
  setPreferences({ language: tag });
  await loadLanguage(tag);
}

export function language(): string {
  return shown.tag;
}

/** The text of a key of the client's own catalogue; `count` among the values chooses the plural form. */
export function t(key: Key, values: Values = {}): string {
  return lookup(key, key, values);
}

/** As `t`, for the keys of one game's catalogue. */
export function translator<GameKey extends string>(): (key: GameKey | Key, values?: Values) => string {
  return (key, values = {}) => lookup(key, key, values);
}

/** The text of a key put together at run time, or the fallback if there is no such text. */
export function lookup(key: string, fallback: string, values: Values = {}): string {
  const entry = shown.catalogue[key];
  if (entry === undefined) return fallback;
  const text = typeof entry === "string" ? entry : plural(entry, values["count"]);
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === "number" ? formatNumber(value) : value;
  });
}

/** All texts whose key begins with a prefix, as pairs of the rest of the key and the text. */
export function lookupAll(prefix: string): [rest: string, text: string][] {
  return Object.keys(shown.catalogue)
    .filter((key) => key.startsWith(prefix))
    .map((key) => [key.slice(prefix.length), lookup(key, key)]);
}

export function formatNumber(value: number): string {
  return new Intl.NumberFormat(shown.tag).format(value);
}

/** A point in time in ms, as day and time. */
export function formatTime(ms: number): string {
  return new Intl.DateTimeFormat(shown.tag, { dateStyle: "medium", timeStyle: "short" }).format(ms);
}

export function formatList(parts: string[]): string {
  return new Intl.ListFormat(shown.tag, { type: "conjunction" }).format(parts);
}

function plural(forms: Plural, count: string | number | undefined): string {
  const form = new Intl.PluralRules(shown.tag).select(Number(count ?? 0));
  return forms[form] ?? forms.other ?? "";
}
