// Texts in the chosen language: the catalogue of the client and those of the games, merged.
import { preferences, setPreferences } from "../preferences.svelte";

type Plural = Partial<Record<Intl.LDMLPluralRule, string>>;
type Catalogue = Record<string, string | Plural>;
export type Key = keyof typeof import("./en.json");
export type Values = Record<string, string | number>;

/** Texts by the parts of their keys; a list is the plural forms, each with its text, and "" the key so far. */
type Tree = { [part: string]: string | string[] | Tree };

const catalogues = import.meta.glob<Tree>("./catalogues/*.ts", { import: "default" });
/** What the first page does not say. */
const longTexts = import.meta.glob<Tree>("./catalogues/long/*.ts", { import: "default" });
let withLong = false;
const file = (tag: string): string => `./catalogues/${tag}.ts`;

/** The languages there are, each with its own name for itself. */
export const LANGUAGES = Object.keys(catalogues).map((path) => {
  const tag = path.slice(-5, -3);
  const name = new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
  return { tag, name: name.charAt(0).toLocaleUpperCase(tag) + name.slice(1) };
});

let shown = $state.raw<{ tag: string; catalogue: Catalogue }>({ tag: "en", catalogue: {} });

/** Loads a language and shows all texts in it; English for a language there is not. */
export async function loadLanguage(tag: string): Promise<void> {
  const load = catalogues[file(tag)];
  if (!load) return loadLanguage("en");
  const trees = await Promise.all([load(), withLong ? longTexts[`./catalogues/long/${tag}.ts`]!() : {}]);
  shown = { tag, catalogue: typeset(tag, Object.fromEntries(trees.flatMap((tree) => texts(tree)))) };
  document.documentElement.lang = tag;
}

/** All texts of a tree with their whole keys. */
function texts(tree: Tree, before = ""): [string, string | Plural][] {
  return Object.entries(tree).flatMap(([part, node]) => {
    const key = before && part ? `${before}.${part}` : before || part;
    if (typeof node === "string") return [[key, node]];
    if (!Array.isArray(node)) return texts(node, key);
    const forms = node.flatMap((form, at) => (at % 2 ? [] : [[form, node[at + 1]]]));
    return [[key, Object.fromEntries(forms) as Plural]];
  });
}

/** Loads the texts of all pages, now and in every language chosen later. */
export async function loadLongTexts(): Promise<void> {
  if (withLong) return;
  withLong = true;
  await loadLanguage(shown.tag);
}

/** French has a space before these signs at which no line ends; the catalogues are written with an ordinary one. */
function typeset(tag: string, catalogue: Catalogue): Catalogue {
  if (tag !== "fr") return catalogue;
  const mend = (text: string): string =>
    text
      .replace(/ ([:»])/g, "\u00a0$1")
      .replace(/« /g, "«\u00a0")
      .replace(/ ([;!?])/g, "\u202f$1");
  const entries = Object.entries(catalogue).map(([key, entry]) => {
    if (typeof entry === "string") return [key, mend(entry)];
    return [key, Object.fromEntries(Object.entries(entry).map(([form, text]) => [form, mend(text)]))];
  });
  return Object.fromEntries(entries) as Catalogue;
}

/** The language chosen before, else the first of the browser's languages that there is. */
export function preferredLanguage(): string {
  const tags = [preferences.language, ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return tags.find((tag) => file(tag) in catalogues) ?? "en";
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

/** Made once for each language, which takes far longer than their use. */
const formats: Record<string, { number: Intl.NumberFormat; plural: Intl.PluralRules }> = {};
const format = (tag: string): (typeof formats)[string] =>
  (formats[tag] ??= { number: new Intl.NumberFormat(tag), plural: new Intl.PluralRules(tag) });

export function formatNumber(value: number): string {
  return format(shown.tag).number.format(value);
}

/** A share from 0 to 1, such as "73 %" in German. */
export function formatPercent(share: number): string {
  return new Intl.NumberFormat(shown.tag, { style: "percent" }).format(share);
}

/** The chosen language as it is written where the browser is: days and times differ within one language. */
function region(): string {
  return navigator.languages.find((tag) => tag.startsWith(`${shown.tag}-`)) ?? shown.tag;
}

/** A point in time in ms, as day and time. */
export function formatTime(ms: number): string {
  return new Intl.DateTimeFormat(region(), { dateStyle: "medium", timeStyle: "short" }).format(ms);
}

/** A point in time in ms, as a day. */
export function formatDate(ms: number): string {
  return new Intl.DateTimeFormat(region(), { dateStyle: "medium" }).format(ms);
}

const DAY_MS = 86_400_000;

/** A point in time in ms, as short as one would say it: the time for today, the day else. */
export function formatDay(ms: number): string {
  const now = new Date();
  const days = Math.round((now.setHours(0, 0, 0, 0) - new Date(ms).setHours(0, 0, 0, 0)) / DAY_MS);
  if (days === 0) return new Intl.DateTimeFormat(region(), { timeStyle: "short" }).format(ms);
  if (days > 0 && days < 3) return new Intl.RelativeTimeFormat(shown.tag, { numeric: "auto" }).format(-days, "day");
  return new Intl.DateTimeFormat(region(), { dateStyle: "medium" }).format(ms);
}

export function formatList(parts: string[]): string {
  return new Intl.ListFormat(shown.tag, { type: "conjunction" }).format(parts);
}

/** As `formatList`, for parts of which one is enough. */
export function formatChoice(parts: string[]): string {
  return new Intl.ListFormat(shown.tag, { type: "disjunction" }).format(parts);
}

function plural(forms: Plural, count: string | number | undefined): string {
  const form = format(shown.tag).plural.select(Number(count ?? 0));
  return forms[form] ?? forms.other ?? "";
}
