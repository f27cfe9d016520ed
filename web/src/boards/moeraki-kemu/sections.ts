import type { Face, Section } from "../face";
import type { View } from "./view";

const view: View = {
  position: {
    ball: "f4",
    stones: [
      "c1 g1 i1 f2 g3 i3 k3 d4 h4 j4 a5 c5 j6 g7 c9 e9 k9 h10 c11 i11".split(" "),
      "e1 d2 e3 b4 g5 k5 b6 d6 f6 e7 i7 k7 b8 j8 g9 i9 b10 d10 f10 j10 e11".split(" "),
    ],
    tane: [
      { at: "f3", looks: "nw" },
      { at: "j7", looks: "nw" },
    ],
    turn: 0,
  },
  tiles: [
    { at: "d1", tribe: 1, worth: "1/2" },
    { at: "f1", tribe: 0, worth: "1/2" },
    { at: "e2", tribe: 1, worth: "1" },
    { at: "g4", tribe: 0, worth: "1" },
    { at: "k4", tribe: 0, worth: "1/2" },
    { at: "k6", tribe: 1, worth: "1/2" },
    { at: "k8", tribe: 1, worth: "1/2" },
    { at: "j9", tribe: 1, worth: "1" },
    { at: "e10", tribe: 1, worth: "1" },
    { at: "d11", tribe: 1, worth: "1/2" },
  ],
  barred: ["e4", "d5", "c6", "b7", "a8", "i8", "h9", "g10", "f11"],
  sees: ["e4 d5 c6 b7 a8".split(" "), "i8 h9 g10 f11".split(" ")],
  scores: ["2", "5"],
  asked: null,
};

export const picture: Face["picture"] = { view, options: { variant: "master" } };

/** A board for a picture; Manaia, who did not place the ball, lays first. */
function board(
  ball: string | null,
  matau: string[],
  manaia: string[],
  more: Partial<View> & { tane?: View["position"]["tane"] } = {},
): View {
  const { tane = [null, null], ...rest } = more;
  const position: View["position"] = {
    ball,
    stones: [matau, manaia],
    tane,
    turn: ball && manaia.length === matau.length ? 1 : 0,
  };
  return { position, tiles: [], barred: [], sees: [null, null], scores: null, asked: null, ...rest };
}

const won = (reason: string, at: string[]) => ({ winners: [0], reason, scores: null, at });
const master = { variant: "master" };

const tiles = (tribe: 0 | 1, worth: "1" | "1/2", at: string): View["tiles"] =>
  at.split(" ").map((each) => ({ at: each, tribe, worth }));

/** A full board with all its tiles. */
const full = board(
  "f8",
  "e1 g1 i1 b2 d2 f2 a3 g3 i3 b4 d4 f4 g5 i5 k5 d6 j6 c7 g7 i7 b8 d8 a9 e9 g9 k9 h10 c11".split(" "),
  "c1 h2 j2 c3 e3 k3 h4 j4 a5 c5 e5 b6 f6 h6 a7 e7 k7 h8 j8 c9 i9 b10 d10 f10 j10 e11 g11 i11".split(" "),
  {
    tiles: [
      ...tiles(0, "1", "f1 e2 g2 b3 f3 g4 j5 i6 d7 c8 e8 g8 f9"),
      ...tiles(0, "1/2", "d1 h1 a4 k6 a8"),
      ...tiles(1, "1", "j3 b5 a6 e6 f7 i8 j9 c10 e10 i10 f11"),
      ...tiles(1, "1/2", "k4 k8 d11 h11"),
    ],
    scores: ["31/2", "13"],
  },
);

const beginner = { variant: "beginner" };
const basic = { variant: "basic" };

export const sections: Section[] = [
  { key: "board", options: beginner, view: board(null, [], []) },
  { key: "play", options: beginner, view: board("f6", ["g7", "d4"], ["e5", "i9", "h4"]) },
  {
    key: "tahuna",
    options: beginner,
    view: board("f4", ["f8", "g7", "e7", "f6"], ["h8", "d6", "i5", "e3"]),
    outcome: won("tahuna", ["f8", "g7", "e7", "f6"]),
  },
  {
    key: "awa",
    options: beginner,
    view: board("f6", ["g7", "h8", "i9", "j10"], ["f8", "e5", "h4", "d10"]),
    outcome: won("awa", ["g7", "h8", "i9", "j10"]),
  },
  {
    key: "ara",
    options: beginner,
    view: board("f6", ["k3", "k5", "k7", "k9"], ["g7", "h4", "e3", "h10"]),
    outcome: won("ara", ["k3", "k5", "k7", "k9"]),
  },
  {
    key: "tiles",
    options: basic,
    view: board(
      "d6",
      ["g7", "h8", "i7", "e11", "f10", "k5", "k7", "j6", "f4"],
      ["h6", "g11", "e5", "f2", "g3", "e3", "c3", "b8", "i3"],
      { tiles: [...tiles(1, "1", "f3"), ...tiles(0, "1", "k6 h7"), ...tiles(0, "1/2", "f11")] },
    ),
  },
  { key: "marae", options: basic, view: full },
  {
    key: "tane",
    options: master,
    view: board("d6", ["f4", "f6", "g5", "g7", "i9", "c11", "a5"], ["e5", "h6", "h8", "i7", "j10", "j8", "k9"], {
      tane: [{ at: "f5", looks: "ne" }, null],
      barred: ["g6", "h7", "i8", "j9"],
      sees: [["g6", "h7", "i8", "j9"], null],
    }),
  },
  {
    key: "two",
    options: master,
    view: board("f4", ["d4", "f6", "f8", "g7", "i3", "i5", "j4"], ["b4", "c3", "c5", "d6", "e7", "h4", "k9"], {
      tane: [
        { at: "i4", looks: "nw" },
        { at: "c4", looks: "ne" },
      ],
      tiles: [{ at: "f7", tribe: 0, worth: "1" }],
      barred: ["d5", "h5", "e6", "g6", "e8", "g8", "d9", "h9", "c10", "i10"],
      sees: [
        ["h5", "g6", "f7", "e8", "d9", "c10"],
        ["d5", "e6", "f7", "g8", "h9", "i10"],
      ],
    }),
  },
  { key: "series" },
  {
    key: "eye",
    options: { variant: "master", eye: true },
    view: board("f8", ["d6", "f4", "h6"], ["e9", "c5", "i7"]),
    outcome: won("eye", ["d6", "f4", "h6"]),
  },
  { key: "options" },
  { key: "rulings" },
  { key: "notation" },
];
