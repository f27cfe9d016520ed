// The terms of a match in words: its variant, clock, series.
import { formatNumber, lookup, t } from "../language/language.svelte";
import { gameAnswer } from "../session.svelte";
import type { MatchAnswer } from "../wire/types";

/** The clocks to choose from. */
export const CLOCKS: MatchAnswer["clock"][] = [
  { kind: "none" },
  { kind: "game", seconds: 300, increment: 5 },
  { kind: "game", seconds: 600, increment: 10 },
  { kind: "game", seconds: 1800, increment: 20 },
  { kind: "days", days: 1 },
  { kind: "days", days: 3 },
  { kind: "days", days: 7 },
  { kind: "bank", hours: 72, increment: 24 },
  { kind: "bank", hours: 240, increment: 36 },
];

/** A value of an option of a game, by its name in the catalogue if it has one. */
export function optionValue(game: string, option: string, value: unknown): string {
  const plain =
    typeof value === "boolean"
      ? t(value ? "setup.yes" : "setup.no")
      : typeof value === "number"
        ? formatNumber(value)
        : String(value);
  return lookup(`option.${game}.${option}.${value}`, plain);
}

/**
 * What is played, in a few words for each option: those that the game's catalogue always names
 * (listed.<game>.<option>, or .<value>), and any other that is not as usual.
 */
export function variantTerms(game: string, options: Record<string, unknown>): string[] {
  const usual = gameAnswer(game)?.options ?? {};
  return Object.entries(options).flatMap(([option, value]) => {
    const key = `listed.${game}.${option}`;
    const words = lookup(`${key}.${value}`, lookup(key, "", { value: optionValue(game, option, value) }));
    if (words) return [words];
    if (value === usual[option] || value === null || typeof value === "object") return [];
    // Nobody chose it: what is usually empty is filled in by the game before, such as where the ball lay.
    if (usual[option] === null) return [];
    const name = lookup(`option.${game}.${option}`, option);
    return [t("text.pair", { name, value: optionValue(game, option, value) })];
  });
}

export function clockTerms(clock: MatchAnswer["clock"]): string {
  if (clock.kind === "game") {
    const minutes = clock.seconds / 60;
    return clock.increment
      ? t("clock.game", { minutes, seconds: clock.increment })
      : t("clock.plain", { count: minutes });
  }
  if (clock.kind === "bank") return t("clock.bank", { hours: clock.hours, increment: clock.increment });
  return clock.kind === "days" ? t("clock.days", { count: clock.days }) : t("clock.none");
}

/** The other terms beside game and clock. */
export function seriesTerms(match: Pick<MatchAnswer, "series" | "rated">): string[] {
  return [
    ...(match.series.to > 1 ? [t("setup.wins", { count: match.series.to })] : []),
    ...(match.rated ? [t("setup.rated")] : []),
  ];
}
