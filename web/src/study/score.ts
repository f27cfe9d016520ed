// What the engine says of an action, for people.
import { t } from "../language/language.svelte";
import type { AnalysisLine } from "../wire/types";

export type Tone = "win" | "draw" | "loss" | "open";

/** Such as "win in 5". */
export interface Proof {
  result: "win" | "draw" | "loss";
  /** In so many actions of the winner; null for a draw. */
  count: number | null;
}

export function proofOf(proven: string | null | undefined): Proof | null {
  const [, result, count] = /^(win|draw|loss)(?: in (\d+))?$/.exec(proven ?? "") ?? [];
  return result ? { result: result as Proof["result"], count: count === undefined ? null : Number(count) } : null;
}

export function toneOf(line: AnalysisLine): Tone {
  return proofOf(line.proven)?.result ?? "open";
}

/** A sign for the board: won in 5 is +5, lost in 3 is −3, drawn is =, anything else the score to expect in percent. */
export function signOf(line: AnalysisLine): string {
  const proof = proofOf(line.proven);
  if (!proof) return String(Math.round(100 * line.score));
  return proof.result === "draw" ? "=" : `${proof.result === "win" ? "+" : "−"}${proof.count ?? ""}`;
}

/** The same in words. */
export function scoreText(line: AnalysisLine): string {
  const proof = proofOf(line.proven);
  if (!proof) return t("analysis.score", { percent: Math.round(100 * line.score) });
  return proofText(proof);
}

export function proofText({ result, count }: Proof): string {
  if (result === "draw") return t("analysis.draw");
  return t(result === "win" ? "analysis.win" : "analysis.loss", { count: count ?? 0 });
}
