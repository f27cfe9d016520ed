import type { Face, Section } from "../face";
import type { TopCard } from "./cards";
import type { View } from "./view";

const view: View = {
  seat: 0,
  hand: ["3", "8", "s", "m"],
  hands: [4, 4, 4],
  zones: [
    [
      { mauw: 2, top: "6" },
      { mauw: 3, top: null },
      { mauw: 1, top: "m=8" },
      { mauw: 0, top: "5" },
    ],
    [
      { mauw: 2, top: "s" },
      { mauw: 1, top: null },
      { mauw: 0, top: "1" },
      { mauw: 0, top: null },
    ],
    [
      { mauw: 1, top: "2" },
      { mauw: 0, top: "7" },
      { mauw: 2, top: null },
      { mauw: 1, top: "4" },
    ],
  ],
  worths: [
    [24, 72, 16, 5],
    [0, 18, 1, 0],
    [4, 7, 36, 8],
  ],
  scores: [117, 19, 55],
  pile: 23,
  discards: { "1": 2, "4": 3, "8": 1 },
  turn: 0,
  turns: 20,
  to_act: 0,
  step: null,
  end: null,
};

export const picture: Face["picture"] = { view, options: { players: 3 }, seat: 0 };

/** A column as it lies, and what it is worth. */
type Place = [mauw: number, top: TopCard | null, worth: number];
const NONE: Place = [0, null, 0];

/** Two zones for a picture. */
function table(own: Place[], other: Place[], more: Partial<View> = {}): View {
  const places = [own, other].map((zone) => Array.from({ length: 4 }, (_, number) => zone[number] ?? NONE));
  const worths = places.map((zone) => zone.map(([, , worth]) => worth));
  return {
    ...view,
    hand: null,
    hands: [4, 4],
    zones: places.map((zone) => zone.map(([mauw, top]) => ({ mauw, top }))),
    worths,
    scores: worths.map((zone) => zone.reduce((sum, worth) => sum + worth)),
    to_act: null,
    ...more,
  };
}

/** Warriors side by side, each worth its value. */
const warriors = (...values: number[]): Place[] => values.map((value) => [0, String(value) as TopCard, value]);

export const sections: Section[] = [
  { key: "cards", view: table(warriors(1, 8, 2, 7), warriors(3, 6, 4, 5), { hand: ["s", "m"] }) },
  {
    key: "zone",
    view: table(
      [
        [3, "8", 64],
        [2, null, 36],
        [1, "s", 0],
        [0, "5", 5],
      ],
      [],
    ),
  },
  { key: "turn" },
  { key: "association", view: table([...warriors(7, 6), [1, null, 18]], [], { hand: ["2", "6"] }) },
  {
    key: "block",
    view: table(
      [],
      [
        [3, "s", 0],
        [2, "1", 4],
      ],
    ),
  },
  {
    key: "attack",
    view: table([[1, null, 18]], [[2, "5", 20]], { step: { name: "defend", play: "5>2A", attacks: 1 }, to_act: 1 }),
  },
  { key: "joker", view: table([[1, "m=8", 16]], [[2, "m=s", 0]], { hand: ["m"] }) },
  {
    key: "end",
    view: table(
      [
        [3, "6", 48],
        [3, null, 72],
        [3, "s", 0],
        [1, null, 18],
      ],
      [[2, "8", 32]],
      { end: "three-columns" },
    ),
  },
  { key: "rulings" },
  { key: "notation" },
];
