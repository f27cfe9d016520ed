import type { Face, Section } from "../face";
import type { View } from "./cards";

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

type Place = [mauw: number, top: string | null];

/** Two zones for a picture. */
function table(own: Place[], other: Place[], more: Partial<View> = {}): View {
  const zone = (places: Place[]) =>
    Array.from({ length: 4 }, (_, number) => ({ mauw: places[number]?.[0] ?? 0, top: places[number]?.[1] ?? null }));
  return {
    ...view,
    hand: null,
    hands: [4, 4],
    zones: [zone(own), zone(other)],
    scores: [0, 0],
    step: null,
    to_act: null,
    ...more,
  };
}

const step = (name: "defend" | "put", play: string) => ({ name, play, attacks: 1 });

export const sections: Section[] = [
  {
    key: "cards",
    view: table(
      [
        [0, "1"],
        [0, "8"],
        [0, "2"],
        [0, "7"],
      ],
      [
        [0, "3"],
        [0, "6"],
        [0, "4"],
        [0, "5"],
      ],
      { hand: ["s", "m"] },
    ),
  },
  {
    key: "zone",
    view: table(
      [
        [3, "8"],
        [2, null],
        [1, "s"],
        [0, "5"],
      ],
      [],
      { scores: [105, 0] },
    ),
  },
  { key: "turn" },
  {
    key: "association",
    view: table(
      [
        [0, "7"],
        [0, "6"],
        [1, null],
        [0, null],
      ],
      [],
      { scores: [31, 0], hand: ["2", "6"] },
    ),
  },
  {
    key: "block",
    view: table(
      [],
      [
        [3, "s"],
        [2, "1"],
      ],
      { scores: [0, 4] },
    ),
  },
  {
    key: "attack",
    view: table([[1, null]], [[2, "5"]], { scores: [18, 20], step: step("defend", "5>2A"), to_act: 1 }),
  },
  { key: "joker", view: table([[1, "m=8"]], [[2, "m=s"]], { scores: [16, 0], hand: ["m"] }) },
  {
    key: "end",
    view: table(
      [
        [3, "6"],
        [3, "s"],
        [3, "3"],
        [1, null],
      ],
      [],
      { scores: [90, 0] },
    ),
  },
  { key: "notation" },
];
