// Cards and actions of MAUW as texts and drawings.
import type { ColumnDocument, View } from "./view";

export type Colour = "red" | "orange" | "green" | "blue" | "spirit" | "maui";

/** A card of a hand. */
export type Card = NonNullable<View["hand"]>[number];
/** An open card on a column, where a joker has its value. */
export type TopCard = NonNullable<ColumnDocument["top"]>;

export const LETTERS = ["A", "B", "C", "D"] as const;
export const COLOURS: Record<string, Colour> = {
  "1": "red",
  "8": "red",
  "2": "orange",
  "7": "orange",
  "3": "green",
  "6": "green",
  "4": "blue",
  "5": "blue",
  s: "spirit",
  m: "maui",
};

/** A sign for each colour, for those who see no colours: flame, sun, leaf, wave. */
export const SIGNS: Record<Colour, string> = {
  red: "M0 -6C1 -3 4.6 -1 4.6 2.4A4.6 4.2 0 0 1 -4.6 2.4C-4.6 0 -3 -1 -2.2 -2.6C-1.4 -1.4 -0.6 -1.4 0 -6Z",
  orange:
    "M0 -3A3 3 0 1 1 0 3A3 3 0 1 1 0 -3M0 -6V-4.4M0 4.4V6M-6 0H-4.4M4.4 0H6M-4.2 -4.2L-3.1 -3.1M3.1 3.1L4.2 4.2M4.2 -4.2L3.1 -3.1M-3.1 3.1L-4.2 4.2",
  green: "M-5 5C-6 -2 -1 -6 5.5 -5.5C6 1 2 6 -4 4M-5 5L2 -2M-2 2V-1.5M-2 2H1.5",
  blue: "M-6 -2.5C-4 -5 -2.5 -5 0 -2.5S4 0 6 -2.5M-6 2.5C-4 0 -2.5 0 0 2.5S4 5 6 2.5",
  spirit: "M-4 5.5V-1A4 4.5 0 0 1 4 -1V5.5L2 3.8L0 5.5L-2 3.8Z",
  maui: "M0 -6L1.7 -1.9L6 -1.6L2.7 1.2L3.7 5.5L0 3.2L-3.7 5.5L-2.7 1.2L-6 -1.6L-1.7 -1.9Z",
};

export interface Face {
  /** What the card counts as: 1…8, s, or m for a joker in the hand. */
  value: string;
  joker: boolean;
  colour: Colour;
}

/** A card such as "7", "s", "m", or a lying joker "m=7". */
export function face(text: string): Face {
  const joker = text.startsWith("m");
  const value = text.startsWith("m=") ? text.slice(2) : text;
  return { value, joker, colour: COLOURS[value] ?? "spirit" };
}

export interface Play {
  card: Card;
  /** The card as it will lie: a joker with its value. */
  lies: TopCard;
  seat: number;
  column: number;
}

/** An action that plays a card on a column, such as 7>1B. */
export function play(action: string): Play | null {
  const found = /^((m)=)?([1-8s])>(\d+)([A-D])$/.exec(action);
  if (!found) return null;
  const [, joker, , value = "", player = "1", letter = "A"] = found;
  return {
    card: (joker ? "m" : value) as Card,
    lies: (joker ? `m=${value}` : value) as TopCard,
    seat: Number(player) - 1,
    column: LETTERS.indexOf(letter as (typeof LETTERS)[number]),
  };
}

/** The zones and the hand as they will look once an action on its way has been confirmed. */
export function withPending(view: View, pending: string | null): Pick<View, "zones" | "hand"> {
  const sent = pending ? play(pending) : null;
  const answer = pending?.startsWith("!") ? (pending.slice(1) as Card) : null;
  const gone = sent?.card ?? answer;
  const index = gone && view.hand ? view.hand.indexOf(gone) : -1;
  const hand = index < 0 ? view.hand : view.hand!.toSpliced(index, 1);
  if (!sent) return { zones: view.zones, hand };
  const zones = view.zones.map((zone, seat) =>
    zone.map((column, number) =>
      seat === sent.seat && number === sent.column ? { ...column, top: sent.lies } : column,
    ),
  );
  return { zones, hand };
}
