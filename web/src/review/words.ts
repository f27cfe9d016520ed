// What a review says of an action, in sentences without notation.
import type { Face } from "../boards/face";
import { type Key, t } from "../language/language.svelte";
import type { GradedAction, Step } from "../wire/types";

/** The seats of the reader, and how others are called. */
export interface Readers {
  mine: number[];
  name: (seat: number) => string;
}

/** What is proved of an action; empty if nothing is. */
export function proofSentence({ proof, seat, proved_before, proved_after }: GradedAction, who: Readers): string {
  if (!proof) return "";
  const fallen = proof === "threw-draw" || proof === "allowed-loss";
  const count = (fallen ? proved_after : proved_before)?.actions ?? 0;
  const you = who.mine.length === 1 && who.mine[0] === seat;
  const key = `review.proof.${proof}${you ? ".you" : ""}` as Key;
  return t(key, { name: who.name(seat), count });
}

/** What the action cost. */
export function costSentence(action: GradedAction): string {
  if (action.hard) return t("review.hard.text");
  if (action.proof === "lost-anyway") return t("review.lost");
  if (action.grade === null) return action.loss === null ? t("review.ungraded") : t("review.only");
  const points = Math.round(action.loss ?? 0);
  return points ? t("review.cost", { count: points }) : t("review.free");
}

/** The grade in words and what the action cost. */
export function gradeSentence(action: GradedAction): string {
  if (action.hard) return `${t("review.hard")}. ${costSentence(action)}`;
  return action.grade ? `${t(`review.grade.${action.grade}`)}. ${costSentence(action)}` : costSentence(action);
}

/** An action in words, as the face of its game says it. */
export function actionSentence(face: Face, text: string, step: Step, options: Record<string, unknown>, who: Readers) {
  const seat = step.turn ?? 0;
  const situation = { view: step.view, seat, actions: step.actions, options };
  return face.suggestion?.(text, situation, who.name) ?? face.describe(text, seat, who.name);
}

/** Whether somebody should be asked to find something better. */
export function isMistake({ grade }: GradedAction): boolean {
  return grade === "mistake" || grade === "blunder";
}
