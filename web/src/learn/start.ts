// Matches against bots that are proposed to learners.
import type { Face, Stage } from "../boards/face";
import { lookup, t } from "../language/language.svelte";
import { preferences } from "../preferences.svelte";
import { navigate } from "../router.svelte";
import { gameTitle } from "../session.svelte";
import * as api from "../wire/api";

/** What is proposed from the own results; undefined where a game has no stages. */
export function proposedStage(game: string, face: Face | undefined): Stage | undefined {
  return face?.stages?.[preferences.stages[game]?.at ?? 0];
}

/** The name of the first option of a stage, such as "Beginner's game"; that of the game if it has no name. */
export function variantName(game: string, options: Record<string, unknown>): string {
  const names = Object.entries(options).map(([option, value]) => lookup(`option.${game}.${option}.${value}`, ""));
  return (options["variant"] !== undefined && names.find(Boolean)) || gameTitle(game);
}

/** A stage in words: "Beginner's game against level 1". */
export function stageName(game: string, { options, bot }: Stage): string {
  return t("stage.match", { variant: variantName(game, options), level: bot });
}

/** Makes a match of the visitor against bots and shows it. */
export async function startMatch(game: string, { options, bot }: Stage): Promise<void> {
  const { seats } = await api.game(game, options); // the number of players may be an option
  const bots = Array.from({ length: seats - 1 }, () => ({ kind: "bot" as const, bot }));
  const match = await api.create({ game, options, seats: [{ kind: "me" }, ...bots] });
  navigate(`/match/${match.id}`);
}
