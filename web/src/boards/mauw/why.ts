// What to do now, and why something cannot be done, in words.
import type { Situation } from "../face";
import { face, LETTERS, play, type Card, type TopCard } from "./cards";
import { columnOf } from "./table";
import type { ColumnDocument, View } from "./view";
import { cardName, placeName, t } from "./words";

/** What the seat is to do now; empty if it may do nothing. */
export function prompt({ view, actions }: Situation): string {
  const { step } = view as View;
  const attack = step?.play ? play(step.play) : null;
  if (actions.includes("x")) return t("mauw.mustDiscard");
  if (actions.some((action) => action.startsWith("+")))
    return step?.top ? t("mauw.putPair", { card: cardName(step.top) }) : t("mauw.putMauw");
  if (step?.name === "defend" && attack) {
    const canDefend = actions.some((action) => action.startsWith("!"));
    return t(canDefend ? "mauw.defend" : "mauw.noDefence", { card: cardName(attack.lies) });
  }
  if (step?.name === "press")
    return t(actions.some((action) => action.startsWith("!")) ? "mauw.press" : "mauw.noPress");
  return actions.length ? t("mauw.choose") : "";
}

/**
 * Why a card cannot be played, in one sentence; empty for what is allowed.
 * The target is a card of the hand such as "7", a card and a column such as "7>1B", or "+A" for the gain.
 */
export function whyIllegal({ view, seat }: Pick<Situation, "view" | "seat">, target: string): string {
  const shown = view as View;
  if (shown.to_act !== seat) return t("mauw.why.turn");
  const [card = "", place] = target.split(">");
  if (shown.step?.name === "put") return gainReason(shown, seat, target);
  if (shown.step?.name === "defend" || shown.step?.name === "press") return answerReason(shown, card);
  if (place === undefined) return cardReason(card);
  const number = Number(place[0]) - 1;
  const column = columnOf(shown, { seat: number, column: LETTERS.indexOf(place[1] as "A") });
  return number === seat ? ownReason(card, column) : enemyReason(card, column);
}

/** A suggested action in words. */
export function suggestion(action: string, { seat }: Pick<Situation, "seat">, name: (seat: number) => string): string {
  const found = play(action);
  if (found) {
    const card = cardName(found.lies);
    return found.seat === seat
      ? t("mauw.tryOwn", { card, column: LETTERS[found.column] ?? "" })
      : t("mauw.tryOther", { card, place: placeName(found, seat, name) });
  }
  if (action.startsWith("+")) return t("mauw.tryPut", { column: action.slice(1) });
  if (action.startsWith("!")) return t("mauw.tryAnswer", { card: cardName(action.slice(1)) });
  return t(action === "-" ? "mauw.tryGiveIn" : "mauw.tryDiscard");
}

function gainReason(view: View, seat: number, target: string): string {
  const place = target.startsWith("+") ? `${seat + 1}${target[1]}` : (target.split(">")[1] ?? "");
  if (!place) return t("mauw.why.gainFirst");
  if (Number(place[0]) - 1 !== seat) return t("mauw.why.gainOwn");
  const column = columnOf(view, { seat, column: LETTERS.indexOf(place[1] as "A") });
  if (column.top) return t("mauw.why.gainCovered", { card: cardName(column.top) });
  return column.mauw === 3 ? t("mauw.why.gainFull") : "";
}

function answerReason(view: View, card: string): string {
  const attack = view.step?.play ? play(view.step.play) : null;
  if (!attack || card === "m" || card === face(attack.lies).value) return "";
  return t("mauw.why.answer", { card: face(attack.lies).value });
}

const cardReason = (card: string): string =>
  card === "s" ? t("mauw.why.spirit") : card === "m" ? "" : t("mauw.why.warrior", pair(card));

/** A value and the one that makes nine with it. */
const pair = (value: string): { value: string; other: string } => ({ value, other: String(9 - Number(value)) });

function ownReason(card: string, { mauw, top }: ColumnDocument): string {
  if (card === "m") return "";
  if (card === "s") {
    if (!top) return t(mauw ? "mauw.why.spiritOwnMauw" : "mauw.why.spiritEmpty");
    return face(top).value === "s" ? "" : t("mauw.why.spiritWarrior");
  }
  return top ? onCard(card as Card, top, "mauw.why.onOwnSpirit") : "";
}

function enemyReason(card: string, { mauw, top }: ColumnDocument): string {
  if (!top) return mauw ? "" : t("mauw.why.enemyEmpty");
  if (face(top).value === "s") return t("mauw.why.enemySpirit");
  if (card === "m") return "";
  return card === "s" ? t("mauw.why.spiritWarrior") : onCard(card as Card, top, "mauw.why.enemySpirit");
}

function onCard(card: Card, top: TopCard, onSpirit: "mauw.why.onOwnSpirit" | "mauw.why.enemySpirit"): string {
  if (face(top).value === "s") return t(onSpirit);
  if (face(card).colour === face(top).colour) return "";
  return t("mauw.why.colour", { card: cardName(card), ...pair(face(top).value) });
}
