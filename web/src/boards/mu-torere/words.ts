import { translator } from "../../language/language.svelte";

export const t = translator<keyof typeof import("./language/en.json")>();

export function pointName(point: number): string {
  return point === 0 ? t("mu.putahi") : t("mu.kewai", { number: point });
}

/** What stands on a point: "B", "W" or ".". */
export function sideName(side: string): string {
  return side === "B" ? t("mu.black") : side === "W" ? t("mu.white") : t("mu.empty");
}

/** A line of the log in words. */
export function describe(line: string, actor: number, name: (seat: number) => string): string {
  const [from = 0, to = 0] = line.split("-").map(Number);
  return t("mu.log", { name: name(actor), from: pointName(from), to: pointName(to) });
}
