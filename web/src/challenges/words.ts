// Challenges in words.
import { formatDay, formatNumber, formatTime, t } from "../language/language.svelte";
import { clockTerms, variantTerms } from "../match/terms";
import type { ChallengeAnswer } from "../wire/types";

/** A variant in a few words; the usual one too. */
export const variantWords = (game: string, options: Record<string, unknown>): string =>
  variantTerms(game, options).join(", ") || t("challenge.usual");

/** The ratings that somebody may have who accepts; "" for any. */
export function rangeWords({ lowest, highest }: Pick<ChallengeAnswer, "lowest" | "highest">): string {
  if (lowest === null && highest === null) return "";
  if (lowest === null) return t("challenge.highest", { highest: formatNumber(highest ?? 0) });
  if (highest === null) return t("challenge.lowest", { lowest: formatNumber(lowest) });
  return t("challenge.range", { lowest: formatNumber(lowest), highest: formatNumber(highest) });
}

const DAY_MS = 86_400_000;

/** Until when something is open: with the time if that is soon. */
export const untilWords = (ms: number): string => (ms - Date.now() < DAY_MS ? formatTime(ms) : formatDay(ms));

/** All that a challenge offers, in a few words each. */
export function challengeTerms(challenge: ChallengeAnswer): string[] {
  const { game, variants, clocks, stake, standing } = challenge;
  return [
    ...variants.map((options) => variantWords(game, options)),
    ...clocks.map(clockTerms),
    t(`challenge.${stake}`),
    rangeWords(challenge),
    standing ? t("challenge.standing", { count: standing }) : "",
    t("challenge.until", { day: untilWords(challenge.expires) }),
  ].filter(Boolean);
}
