// One catalogue for each language; adding one means adding one file.
import { preferences, prefer } from "../preferences.svelte";

type Plural = Partial<Record<Intl.LDMLPluralRule, string>>;
type Catalogue = Record<string, string | Plural>;
export type Key = keyof typeof import("./en.json");
export type Values = Record<string, string | number>;

const files = import.meta.glob<Catalogue>("./*.json", { import: "default" });

/** The languages there are, each with its own name for itself. */
export const LANGUAGES = Object.keys(files).map((file) => {
  const tag = file.slice(2, -5);
  const name = new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
  return { tag, name: name.charAt(0).toLocaleUpperCase(tag) + name.slice(1) };
});

const now = $state<{ tag: string; catalogue: Catalogue }>({ tag: "en", catalogue: {} });

export async function speak(tag: string): Promise<void> {
  const load = files[`./${tag}.json`];
  if (!load) return speak("en");
  now.catalogue = await load();
  now.tag = tag;
  document.documentElement.lang = tag;
}

/** The language chosen before, else the first of the browser's that we have. */
export function wished(): string {
  const tags = [preferences.language, ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return tags.find((tag) => `./${tag}.json` in files) ?? "en";
}

export async function choose(tag: string): Promise<void> {
  prefer({ language: tag });
  await speak(tag);
}

export function language(): string {
  return now.tag;
}

export function has(key: string): boolean {
  return key in now.catalogue;
}

/** The text of a key in today's language; `count` chooses the plural form. */
export function t(key: Key, values: Values = {}): string {
  const entry = now.catalogue[key];
  if (entry === undefined) return key;
  const text = typeof entry === "string" ? entry : plural(entry, values["count"]);
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === "number" ? number(value) : value;
  });
}

/** As `t`, for keys put together at run time; the fallback is for what a newer server may name. */
export function told(key: string, fallback: string, values: Values = {}): string {
  return has(key) ? t(key as Key, values) : fallback;
}

export function number(value: number): string {
  return new Intl.NumberFormat(now.tag).format(value);
}

export function listed(parts: string[], type: "conjunction" | "disjunction" = "conjunction"): string {
  return new Intl.ListFormat(now.tag, { type }).format(parts);
}

export function when(time: number): string {
  return new Intl.DateTimeFormat(now.tag, { dateStyle: "medium", timeStyle: "short" }).format(time);
}

function plural(forms: Plural, count: string | number | undefined): string {
  const form = new Intl.PluralRules(now.tag).select(Number(count ?? 0));
  return forms[form] ?? forms.other ?? "";
}
