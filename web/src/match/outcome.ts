import { formatList, lookup, t } from "../language/language.svelte";
import type { OutcomeAnswer } from "../wire/types";

/** Who won, in one sentence, as seen from some seats. */
export function verdict(outcome: OutcomeAnswer, mine: number[], name: (seat: number) => string): string {
  if (outcome.reason === "aborted" || outcome.reason === "cancelled") return t("result.aborted");
  if (!outcome.winners.length) return t("result.draw");
  const own = outcome.winners.some((seat) => mine.includes(seat));
  if (own && mine.length === 1) return outcome.winners.length > 1 ? t("result.shared") : t("result.won");
  return t("result.wins", { name: formatList(outcome.winners.map(name)), count: outcome.winners.length });
}

/** Why a match of a game ended. */
export function reason(game: string, outcome: OutcomeAnswer): string {
  return lookup(`reason.${game}.${outcome.reason}`, lookup(`reason.${outcome.reason}`, outcome.reason));
}

/** A score such as "7/2" as a number. */
export function scoreValue(text: string): number {
  const [over = 0, under = 1] = text.split("/").map(Number);
  return over / under;
}

/** A score such as "7/2" as people write it: 3½. */
export function score(text: string): string {
  const value = scoreValue(text);
  const whole = Math.floor(value);
  return value > whole ? `${whole || ""}½` : String(whole);
}
