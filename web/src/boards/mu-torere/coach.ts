// What the coach says in Mū tōrere: what to do now, why not this man, what threatens, what would have saved.
import { formatList } from "../../language/language.svelte";
import type { Rescue, Situation, Threat } from "../face";
import { at, neighbours } from "./star";
import type { View } from "./view";
import { pointName, sideName, t } from "./words";

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

/** Why a point cannot be used now. */
export function whyIllegal({ view, seat, actions }: Situation, cell: string): string {
  const { points } = (view as View).position;
  const point = Number(cell);
  const side = at(points, point);
  const gap = ends(actions[0] ?? "")[1];
  if (side === ".") return t("mu.notGap");
  if (side !== "BW"[seat]) return t("mu.notYours", { side: sideName(side) });
  if (gap !== 0) return t("mu.notNext", { gap: pointName(gap) });
  return neighbours(point, points.length - 1).some((each) => at(points, each) === "BW"[1 - seat])
    ? ""
    : t("mu.notFlanked");
}

/** A suggested action in words. */
export function suggestion(action: string): string {
  return t("mu.try", way(action));
}

/** A threat in words. */
export function threatened({ action }: Threat, name: string): string {
  return t("mu.threat", { name, ...way(action) });
}

/** How a lost match could have been saved. */
export function rescued({ saves, taken }: Rescue, name: string): string {
  const moves = formatList(saves.map((action) => t("mu.way", way(action))));
  return t("mu.rescue", { name, moves, taken: t("mu.way", way(taken)) });
}
