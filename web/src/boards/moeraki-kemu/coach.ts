// What the coach says in Moeraki-Kemu: what to do now, what threatens, what would have saved.
import { formatChoice } from "../../language/language.svelte";
import type { Rescue, Situation, ThreatLine } from "../face";
import { placed } from "./lattice";
import type { View } from "./view";
import { t, wayName } from "./words";

/** What the seat to act can do now. */
export function prompt({ view, actions, options }: Situation): string {
  const { stones } = (view as View).position;
  const balls = actions.filter((action) => action.startsWith("@"));
  const before = options["moved_from"];
  if (balls.length && typeof before === "string") return t("moeraki.moveBall", { at: before, count: balls.length });
  if (balls.length) return t("moeraki.doBall", { count: balls.length });
  if (actions.some((action) => action.startsWith("T"))) return t("moeraki.doTane");
  if (actions.includes("swap")) return t("moeraki.doSwap");
  return stones[0].length + stones[1].length ? t("moeraki.doStone") : t("moeraki.doFirst");
}

/** A suggested action in words. */
export function suggestion(action: string): string {
  const tane = placed(action);
  if (tane) return t("moeraki.tryTane", { at: tane.at, looks: t(`moeraki.${tane.looks}`) });
  if (action === "-") return t("moeraki.tryKeep");
  if (action === "swap") return t("moeraki.trySwap");
  return action.startsWith("@") ? t("moeraki.tryBall", { at: action.slice(1) }) : t("moeraki.tryStone", { at: action });
}

/** The place that is marked for an action: the hollow of a stone or the ball, the area of a Tane. */
export function place(action: string): string {
  return placed(action)?.at ?? action.replace("@", "");
}

/** A threat in words. */
export function threatened({ action, cells, missing, reason }: ThreatLine, name: string): string {
  const values = { name, way: wayName(reason), at: action, line: cells.join("–") };
  if (missing.length === 1) return t("moeraki.threat", values);
  return t(missing.includes(action) && missing.length === 2 ? "moeraki.threatTwice" : "moeraki.threatForced", values);
}

/** How a lost match could have been saved. */
export function rescued({ saves, taken, threats }: Rescue, name: string): string {
  const stones = saves.filter((action) => /^[a-k]\d+$/.test(action));
  const values = { name, at: formatChoice(stones), taken, way: wayName(threats[0]?.reason ?? "marae") };
  if (!saves.length) return t("moeraki.rescueNone", values);
  if (!stones.length) return t("moeraki.rescueTane", { ...values, how: suggestion(saves[0]!) });
  return t(threats.length ? "moeraki.rescue" : "moeraki.rescueMarae", { ...values, count: stones.length });
}
