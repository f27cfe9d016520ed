import { lookup, translator } from "../../language/language.svelte";
import type { Looks } from "./lattice";

export const t = translator<keyof typeof import("./language/en.json")>();

export function tribeName(seat: number): string {
  return seat === 0 ? t("moeraki.matau") : t("moeraki.manaia");
}

/** The name of a way to win, by the reason of an outcome. */
export function wayName(reason: string): string {
  return lookup(`moeraki.way.${reason}`, reason);
}

/** A line of the log in words. */
export function describe(line: string, actor: number, name: (seat: number) => string): string {
  const who = { name: name(actor) };
  if (line.startsWith("@")) return t("moeraki.logBall", { ...who, at: line.slice(1) });
  if (line.startsWith("T")) {
    const looks = t(`moeraki.${line.slice(-2) as Looks}`);
    return t("moeraki.logTane", { ...who, at: line.slice(1, -2), looks });
  }
  if (line === "-") return t("moeraki.logKeep", who);
  if (line === "swap") return t("moeraki.logSwap", who);
  return t("moeraki.logStone", { ...who, at: line });
}
