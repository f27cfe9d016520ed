import { translator } from "../../language/language.svelte";
import { face, LETTERS, play, type Play } from "./cards";
import type { ColumnDocument } from "./view";

export const t = translator<keyof typeof import("./language/en.json")>();

/** A card as a label: "orange 7". */
export function cardName(text: string): string {
  return worded(text, "mauw.card", "mauw.spirit");
}

/** A card inside a sentence: "the orange 7". */
export function cardPhrase(text: string): string {
  return worded(text, "mauw.cardPhrase", "mauw.spiritPhrase");
}

function worded(
  text: string,
  warrior: "mauw.card" | "mauw.cardPhrase",
  spirit: "mauw.spirit" | "mauw.spiritPhrase",
): string {
  if (text === "m") return t("mauw.maui");
  const { value, colour, joker } = face(text);
  if (joker) return t("mauw.mauiAs", { card: value === "s" ? t("mauw.colour.spirit") : value });
  return value === "s" ? t(spirit) : t(warrior, { value, colour: t(`mauw.colour.${colour}`) });
}

/** A column in words. */
export function columnName(number: number, column: ColumnDocument, name: string, worth?: number): string {
  const place = t("mauw.column", { name, column: LETTERS[number] ?? "" });
  const mauw = column.mauw ? t("mauw.mauw", { count: column.mauw }) : "";
  const what = [column.top ? cardName(column.top) : "", mauw].filter(Boolean).join(", ") || t("mauw.empty");
  const value = worth === undefined || what === t("mauw.empty") ? "" : `. ${t("mauw.worth", { count: worth })}`;
  return `${place}: ${what}${value}`;
}

/** The column of a play in words, as one says it of who plays there. */
export function placeName({ seat, column }: Play, actor: number, name: (seat: number) => string): string {
  const letter = { column: LETTERS[column] ?? "" };
  return seat === actor ? t("mauw.placeOwn", letter) : t("mauw.placeOf", { ...letter, name: name(seat) });
}

/** A line of the log in words. */
export function describe(line: string, actor: number, name: (seat: number) => string): string {
  const who = actor < 0 ? "" : name(actor);
  const found = play(line);
  if (found)
    return t("mauw.logPlay", {
      name: who,
      card: cardPhrase(found.lies),
      place: placeName(found, actor, name),
    });
  const rest = line.slice(1);
  switch (line[0]) {
    case "+":
      return t("mauw.logPut", { name: who, column: rest });
    case "!":
      return t("mauw.logAnswer", { name: who, card: cardPhrase(rest) });
    case "-":
      return t("mauw.logGiveIn", { name: who });
    case "x":
      return t("mauw.logDiscard", { name: who });
    case "~":
      return rest === "?" ? t("mauw.logDraw") : t("mauw.logDrawn", { card: cardPhrase(rest) });
    case "^":
      return rest === "?" ? t("mauw.logTake") : t("mauw.logTaken", { card: cardPhrase(rest) });
    default:
      return line;
  }
}
