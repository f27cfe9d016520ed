// What the coach says in Mū tōrere: what to do now, what threatens, what would have saved.
import { formatChoice, type Values } from "../../language/language.svelte";
import type { Rescue, Situation, ThreatLine } from "../face";
import { pointName, t } from "./words";

const ends = (action: string): [from: number, to: number] => {
  const [from = 0, to = 0] = action.split("-").map(Number);
  return [from, to];
};
const way = (action: string): { from: string; to: string } => {
  const [from, to] = ends(action);
  return { from: pointName(from), to: pointName(to) };
};

/** What the seat to act can do now. */
export function prompt({ actions }: Situation): string {
  const first = actions[0];
  if (first === undefined) return "";
  return actions.length === 1 ? t("mu.doOnly", way(first)) : t("mu.do", { to: way(first).to, count: actions.length });
}

/** What a refusal names. */
export function refusalWords({ end }: Record<string, unknown>): Values {
  return { end: pointName(Number(end)) };
}

/** A suggested action in words. */
export function suggestion(action: string): string {
  return t("mu.try", way(action));
}

/** The place that is marked for an action: where the man stands. */
export function place(action: string): string {
  return pointName(ends(action)[0]);
}

/** A threat in words. */
export function threatened({ action }: ThreatLine, name: string): string {
  return t("mu.threat", { name, ...way(action) });
}

/** How a lost match could have been saved. */
export function rescued({ saves, taken }: Rescue, name: string): string {
  const moves = formatChoice(saves.map((action) => t("mu.way", way(action))));
  return t("mu.rescue", { name, moves, taken: t("mu.way", way(taken)) });
}
