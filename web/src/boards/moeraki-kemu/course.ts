import type { Step } from "../../wire/types";
import type { Lesson } from "../face";
import type { Tane, Tile, View } from "./lattice";

const view = (step: Step): View => step.view as View;
const tile = (step: Step, at: string): Tile | undefined => view(step).tiles.find((lying) => lying.at === at);
const tane = (step: Step): Tane | null | undefined => view(step).position.tane[0];
const won =
  (reason: string) =>
  (after: Step): boolean =>
    after.outcome?.reason === reason && after.outcome.winners[0] === 0;
const laid = (step: Step, at: string): boolean => view(step).position.stones[0].includes(at);

const beginner = { variant: "beginner" };
const basic = { variant: "basic" };
const master = { variant: "master" };
const none = [null, null];

/** Positions and what is to be done in each; what may be done and what comes of it the server tells. */
export const course: Lesson[] = [
  {
    key: "ball",
    options: beginner,
    done: (after) => view(after).position.ball !== null,
    answer: ["@f6"],
  },
  {
    key: "tahuna",
    options: beginner,
    position: {
      ball: "f4",
      stones: [
        ["e7", "f8", "g7"],
        ["b2", "c11", "j2", "j8"],
      ],
      tane: none,
      turn: 0,
    },
    done: won("tahuna"),
    answer: ["f6"],
  },
  {
    key: "nostone",
    options: beginner,
    position: {
      ball: "f6",
      stones: [
        ["e7", "f8", "g7", "g9"],
        ["c3", "d2", "g11", "g5", "i1"],
      ],
      tane: none,
      turn: 0,
    },
    done: won("tahuna"),
    answer: ["h8"],
  },
  {
    key: "awa",
    options: beginner,
    position: {
      ball: "f6",
      stones: [
        ["a9", "c11", "g5"],
        ["b4", "d8", "i7", "j2"],
      ],
      tane: none,
      turn: 0,
    },
    done: won("awa"),
    answer: ["b10"],
  },
  {
    key: "awaball",
    options: beginner,
    position: {
      ball: "f6",
      stones: [
        ["g7", "h8", "j10"],
        ["b4", "f10", "f2", "j4"],
      ],
      tane: none,
      turn: 0,
    },
    done: won("awa"),
    answer: ["i9"],
  },
  {
    key: "ara",
    options: beginner,
    position: {
      ball: "g7",
      stones: [
        ["k3", "k5", "k9"],
        ["c9", "f4", "g5", "j10"],
      ],
      tane: none,
      turn: 0,
    },
    done: won("ara"),
    answer: ["k7"],
  },
  {
    key: "stop",
    options: beginner,
    position: {
      ball: "f8",
      stones: [
        ["g11", "j8"],
        ["d4", "d6", "e5"],
      ],
      tane: none,
      turn: 0,
    },
    done: (after) => laid(after, "c5"),
    answer: ["c5"],
  },
  {
    key: "tile",
    options: basic,
    position: {
      ball: "d6",
      stones: [
        ["g7", "h8"],
        ["a3", "a5", "h6"],
      ],
      tane: none,
      turn: 0,
    },
    done: (after) => tile(after, "h7")?.tribe === 0,
    answer: ["i7"],
  },
  {
    key: "even",
    options: basic,
    position: { ball: "f6", stones: [["h4"], ["i3", "i5"]], tane: none, turn: 0 },
    done: (after) => laid(after, "j4") && !tile(after, "i4"),
    answer: ["j4"],
  },
  {
    key: "half",
    options: basic,
    position: {
      ball: "f6",
      stones: [
        ["e11", "g5"],
        ["g11", "h8", "j6"],
      ],
      tane: none,
      turn: 0,
    },
    done: (after) => tile(after, "f11")?.worth === "1/2",
    answer: ["f10"],
  },
  {
    key: "full",
    options: basic,
    position: {
      ball: "f6",
      stones: [
        ["i11", "k5", "k7"],
        ["e7", "g1", "h6", "h8"],
      ],
      tane: none,
      turn: 0,
    },
    done: (after) => tile(after, "k6")?.worth === "1",
    answer: ["j6"],
  },
  {
    key: "marae",
    options: basic,
    position: {
      ball: "f8",
      stones: [
        [
          "e1",
          "g1",
          "i1",
          "b2",
          "d2",
          "f2",
          "a3",
          "g3",
          "i3",
          "b4",
          "d4",
          "f4",
          "g5",
          "i5",
          "k5",
          "d6",
          "j6",
          "c7",
          "g7",
          "i7",
          "b8",
          "d8",
          "e9",
          "g9",
          "k9",
          "h10",
          "c11",
        ],
        [
          "c1",
          "h2",
          "j2",
          "c3",
          "e3",
          "k3",
          "h4",
          "j4",
          "a5",
          "c5",
          "e5",
          "b6",
          "f6",
          "h6",
          "a7",
          "e7",
          "k7",
          "h8",
          "j8",
          "c9",
          "i9",
          "b10",
          "d10",
          "f10",
          "j10",
          "e11",
          "g11",
          "i11",
        ],
      ],
      tane: none,
      turn: 0,
    },
    done: won("marae"),
    answer: ["a9"],
  },
  {
    key: "tane",
    options: master,
    position: {
      ball: "d6",
      stones: [
        ["c1", "f4", "f6", "f8", "g5", "g7", "i9"],
        ["e5", "h6", "h8", "i7", "j10", "j8", "k9"],
      ],
      tane: none,
      turn: 0,
      step: { stone: "f4" },
    },
    done: (after) => tane(after) !== null && !tile(after, "h7") && !tile(after, "i8") && !tile(after, "j9"),
    answer: ["Tf5ne"],
  },
  {
    key: "keep",
    options: master,
    position: {
      ball: "d6",
      stones: [
        ["c1", "f4", "f6", "f8", "g5", "g7", "i9"],
        ["e5", "h6", "h8", "i7", "j10", "j8", "k9"],
      ],
      tane: none,
      turn: 0,
      step: { stone: "f4" },
    },
    done: (after) => tane(after) === null && tile(after, "f5") !== undefined,
    answer: ["-"],
  },
  {
    key: "barred",
    options: master,
    position: {
      ball: "h6",
      stones: [
        ["d4", "d6", "f6", "f8", "g7"],
        ["a9", "d8", "e5", "e7", "h10", "h4"],
      ],
      tane: [{ at: "f7", looks: "sw" }, null],
      turn: 0,
    },
    done: (after) => laid(after, "c5"),
    answer: ["c5"],
  },
  {
    key: "cross",
    options: master,
    position: {
      ball: "f4",
      stones: [
        ["d4", "f6", "f8", "g7", "i3", "i5", "j4"],
        ["b4", "c3", "c5", "d6", "e7", "h4", "k5"],
      ],
      tane: [null, { at: "c4", looks: "ne" }],
      turn: 0,
      step: { stone: "i3" },
    },
    done: (after) => tile(after, "f7")?.tribe === 0,
    answer: ["Ti4nw"],
  },
  {
    key: "meet",
    options: master,
    position: {
      ball: "f4",
      stones: [
        ["c3", "c5", "d4", "d6", "e11", "f2", "g7", "i9"],
        ["b4", "e5", "e7", "f6", "f8", "g9", "h10", "h8"],
      ],
      tane: [null, { at: "g8", looks: "se" }],
      turn: 0,
      step: { stone: "c3" },
    },
    done: (after) => tane(after)?.looks === "ne" && !tile(after, "e6") && tile(after, "h9") !== undefined,
    answer: ["Tc4ne"],
  },
  {
    key: "theirs",
    options: master,
    position: {
      ball: "d6",
      stones: [
        ["g7", "h8", "i7"],
        ["b8", "c1", "i3"],
      ],
      tane: none,
      turn: 1,
    },
    replies: ["h6"],
    done: (after) => after.turn === 0 && view(after).asked === null,
    answer: ["Th7sw"],
  },
];
