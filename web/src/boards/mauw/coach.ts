// What the coach says in MAUW: what to do now, what to try, and what a refusal is about.
import type { Values } from "../../language/language.svelte";
import type { Rescue, Situation } from "../face";
import { LETTERS, play } from "./cards";
import type { View } from "./view";
import { cardPhrase, placeName, t } from "./words";

/** What the seat is to do now; empty if it may do nothing. */
export function prompt({ view, actions }: Situation): string {
  const { step } = view as View;
  const attack = step?.play ? play(step.play) : null;
  if (actions.includes("x")) return t("mauw.mustDiscard");
  if (actions.some((action) => action.startsWith("+")))
    return step?.top ? t("mauw.putPair", { card: cardPhrase(step.top) }) : t("mauw.putMauw");
  if (step?.name === "defend" && attack) {
    const canDefend = actions.some((action) => action.startsWith("!"));
    return t(canDefend ? "mauw.defend" : "mauw.noDefence", { card: cardPhrase(attack.lies) });
  }
  if (step?.name === "press")
    return t(actions.some((action) => action.startsWith("!")) ? "mauw.press" : "mauw.noPress");
  return actions.length ? t("mauw.choose") : "";
}

/** A suggested action in words. */
export function suggestion(action: string, { seat }: Pick<Situation, "seat">, name: (seat: number) => string): string {
  const found = play(action);
  if (found) {
    const card = cardPhrase(found.lies);
    return found.seat === seat
      ? t("mauw.tryOwn", { card, column: LETTERS[found.column] ?? "" })
      : t("mauw.tryOther", { card, place: placeName(found, seat, name) });
  }
  if (action.startsWith("+")) return t("mauw.tryPut", { column: action.slice(1) });
  if (action.startsWith("!")) return t("mauw.tryAnswer", { card: cardPhrase(action.slice(1)) });
  return t(action === "-" ? "mauw.tryGiveIn" : "mauw.tryDiscard");
}

/** What a suggested action gains, takes and saves in points, and what its joker is worth; empty if nothing is known. */
export function because(stakes: Record<string, number>, name: (seat: number) => string): string {
  const { gain = 0, takes = 0, of = 0, saves = 0, joker = 0 } = stakes;
  const told: string[] = [];
  if (gain) told.push(t("mauw.because.gain", { count: gain }));
  if (takes) told.push(t("mauw.because.takes", { count: takes, name: name(of) }));
  if (saves) told.push(t("mauw.because.saves", { count: saves }));
  if (joker) told.push(t("mauw.because.joker", { count: joker }));
  return told.join(" ");
}

/** The last moment at which a lost game could still be won, and what would have been better. */
export function rescued(
  { saves, taken, chance }: Pick<Rescue, "saves" | "taken" | "chance">,
  _: string,
  seat: number,
  name: (seat: number) => string,
): string {
  const count = Math.round(100 * (chance ?? 0));
  const better = saves[0] === undefined || saves[0] === taken ? "" : suggestion(saves[0], { seat }, name);
  return better ? t("mauw.rescue", { count, better }) : t("mauw.rescueNone", { count });
}

/** What a refusal names: a card, and the two values that would do. */
export function refusalWords({ card, takes, fits }: Record<string, unknown>): Values {
  const text = String(card);
  const [value = text, other = ""] = (fits ?? takes ?? []) as string[];
  return { card: cardPhrase(text), value, other };
}
