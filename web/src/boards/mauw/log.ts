// The log of MAUW in words: who draws, and the opening deal as one entry.
import type { LogEntry } from "../face";
import { describe, t } from "./words";

/** The cards that an action has drawn at once: the hand anew, or the one that was played. */
function draws(line: string): number {
  return line === "x" ? 4 : line.includes(">") || line.startsWith("!") ? 1 : 0;
}

/** All lines in words; a card that is made up for later names nobody. */
export function entries(
  log: readonly (readonly [actor: number, line: string])[],
  name: (seat: number) => string,
): LogEntry[] {
  const first = log.findIndex(([actor]) => actor >= 0);
  const dealt = first < 0 ? log.length : first;
  const told: LogEntry[] = dealt ? [{ last: dealt, text: t("mauw.logDealt") }] : [];
  let [owner, open] = [0, 0];
  log.slice(dealt).forEach(([actor, line], index) => {
    const last = dealt + index + 1;
    if (actor >= 0) [owner, open] = [actor, draws(line)];
    const named = line === "~?" && open > 0;
    if (line.startsWith("~")) open -= 1;
    told.push({ last, text: named ? t("mauw.logDraws", { name: name(owner) }) : describe(line, actor, name) });
  });
  return told;
}
