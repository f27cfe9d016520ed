// The matches proposed to somebody who learns a game, one after the other, from the own results.
import type { Stage } from "../boards/face";
import type { StageProgress } from "../preferences.svelte";

export const BEGIN: StageProgress = { at: 0, losses: 0, match: "" };

/** So many losses in a row lead one stage back. */
const LOSSES = 2;

export interface Result {
  /** The id of the match. */
  match: string;
  options: Record<string, unknown>;
  bot: string;
  won: boolean;
  lost: boolean;
}

/** The number of the stage that a match belongs to, -1 if to none. */
export function stageOf(stages: Stage[], options: Record<string, unknown>, bot: string): number {
  return stages.findIndex(
    (stage) => stage.bot === bot && Object.entries(stage.options).every(([name, value]) => options[name] === value),
  );
}

/** The progress after a result; the same match counts once, and matches that belong to no stage do not count. */
export function advanceStage(stages: Stage[], before: StageProgress, result: Result): StageProgress {
  const played = stageOf(stages, result.options, result.bot);
  if (played < 0 || result.match === before.match) return before;
  const { match } = result;
  const last = stages.length - 1;
  if (result.won) return { at: Math.min(last, Math.max(before.at, played + 1)), losses: 0, match };
  // A match above the own stage proves nothing when it is lost.
  if (!result.lost || played > before.at) return { ...before, match };
  const losses = before.losses + 1;
  return losses < LOSSES ? { ...before, losses, match } : { at: Math.max(0, before.at - 1), losses: 0, match };
}
