import { listed, t, told } from "../language/language.svelte";
import type { Result } from "../wire/types";

/** Who won, in one sentence, as seen by some seats. */
export function verdict(outcome: Result, mine: number[], name: (seat: number) => string): string {
  if (outcome.reason === "aborted") return t("result.aborted");
  if (!outcome.winners.length) return t("result.draw");
  const own = outcome.winners.some((seat) => mine.includes(seat));
  if (own && mine.length === 1) return outcome.winners.length > 1 ? t("result.shared") : t("result.won");
  return t("result.wins", { name: listed(outcome.winners.map(name)), count: outcome.winners.length });
}

/** Why it ended so. */
export function reason(outcome: Result): string {
  return told(`reason.${outcome.reason}`, outcome.reason);
}

/** A score such as "7/2" as a decimal people read. */
export function score(text: string): string {
  const [over = 0, under = 1] = text.split("/").map(Number);
  const whole = Math.floor(over / under);
  return over % under ? `${whole || ""}½` : String(whole);
}
