import { translator } from "../../language/language.svelte";
import { face, LETTERS, play, type Play } from "./cards";
import type { ColumnDocument } from "./view";

export const t = translator<keyof typeof import("./language/en.json")>();

/** A card in words: its value and the colour that goes with it. */
export function cardName(text: string): string {
  if (text === "m") return t("mauw.maui");
  const shown = face(text);
  const plain = shown.value === "s" ? t("mauw.spirit") : `${shown.value} ${t(`mauw.colour.${shown.colour}`)}`;
  return shown.joker ? t("mauw.mauiAs", { card: plain }) : plain;
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
      card: cardName(found.lies),
      place: placeName(found, actor, name),
    });
  const rest = line.slice(1);
  switch (line[0]) {
    case "+":
      return t("mauw.logPut", { name: who, column: rest });
    case "!":
      return t("mauw.logAnswer", { name: who, card: cardName(rest) });
    case "-":
      return t("mauw.logGiveIn", { name: who });
    case "x":
      return t("mauw.logDiscard", { name: who });
    case "~":
      return rest === "?" ? t("mauw.logDraw") : t("mauw.logDrawn", { card: cardName(rest) });
    case "^":
      return rest === "?" ? t("mauw.logTake") : t("mauw.logTaken", { card: cardName(rest) });
    default:
      return line;
  }
}
