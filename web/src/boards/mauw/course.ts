import type { Step } from "../../wire/types";
import type { Lesson } from "../face";
import type { Column, View } from "./cards";

const view = (step: Step): View => step.view as View;
const own = (step: Step): Column[] => view(step).zones[0] ?? [];
const empty: Column = { mauw: 0, top: null };
const column = (mauw: number, top: string | null = null): Column => ({ mauw, top });
const zone = (...columns: Column[]): Column[] => [...columns, empty, empty, empty, empty].slice(0, 4);
const options = { players: 2 };

/** Positions and what is to be done in each; what may be done and what comes of it the server tells. */
export const course: Lesson[] = [
  {
    key: "lay",
    options,
    position: {
      hands: [
        ["2", "5", "8", "s"],
        ["1", "3", "5", "s"],
      ],
      zones: [zone(), zone()],
      pile: { "1": 4, "2": 4, "3": 4, "4": 5, "5": 3, "6": 5, "7": 5, "8": 4, s: 10, m: 4 },
      discards: {},
      turn: 0,
      turns: 0,
    },
    replies: ["~4"],
    done: (after) => own(after).some(({ top }) => top !== null),
    answer: ["8>1A"],
  },
  {
    key: "nine",
    options,
    position: {
      hands: [
        ["2", "5", "8", "s"],
        ["1", "3", "5", "s"],
      ],
      zones: [zone(column(0, "7")), zone(column(0, "3"))],
      pile: { "1": 4, "2": 4, "3": 3, "4": 5, "5": 3, "6": 5, "7": 4, "8": 4, s: 10, m: 4 },
      discards: {},
      turn: 0,
      turns: 10,
    },
    replies: ["~4", "^6"],
    done: (after) => own(after).some(({ mauw }) => mauw === 1),
    answer: ["2>1A", "+B"],
  },
  {
    key: "pair",
    options,
    position: {
      hands: [
        ["6", "5", "8", "s"],
        ["1", "3", "5", "s"],
      ],
      zones: [zone(column(0, "6"), column(1)), zone(column(0, "3"))],
      pile: { "1": 4, "2": 5, "3": 3, "4": 5, "5": 3, "6": 3, "7": 5, "8": 4, s: 9, m: 4 },
      discards: {},
      turn: 0,
      turns: 10,
    },
    replies: ["~4"],
    done: (after) => own(after).some(({ mauw, top }) => mauw === 2 && top === "6"),
    answer: ["6>1A", "+B"],
  },
  {
    key: "score",
    options,
    position: {
      hands: [
        ["1", "8", "4", "s"],
        ["1", "3", "5", "s"],
      ],
      zones: [zone(column(2), column(0, "8"), empty, column(1, "4")), zone(column(1))],
      pile: { "1": 3, "2": 5, "3": 4, "4": 3, "5": 4, "6": 4, "7": 4, "8": 2, s: 9, m: 4 },
      discards: {},
      turn: 0,
      turns: 10,
    },
    replies: ["~2"],
    done: (after) => view(after).scores[0] === 72,
    answer: ["8>1B", "+A"],
  },
  {
    key: "block",
    options,
    position: {
      hands: [
        ["1", "8", "4", "s"],
        ["1", "3", "5", "s"],
      ],
      zones: [zone(column(0, "6")), zone(column(3), column(0, "2"))],
      pile: { "1": 3, "2": 4, "3": 4, "4": 4, "5": 4, "6": 4, "7": 4, "8": 3, s: 9, m: 4 },
      discards: {},
      turn: 0,
      turns: 10,
    },
    replies: ["~2"],
    done: (after) => (view(after).scores[1] ?? 0) <= 2,
    answer: ["s>2A"],
  },
  {
    key: "unblock",
    options,
    position: {
      hands: [
        ["1", "8", "4", "s"],
        ["1", "3", "5", "s"],
      ],
      zones: [zone(column(2, "s"), column(0, "6")), zone(column(1))],
      pile: { "1": 3, "2": 5, "3": 4, "4": 4, "5": 4, "6": 4, "7": 4, "8": 3, s: 8, m: 4 },
      discards: {},
      turn: 0,
      turns: 10,
    },
    replies: ["~2"],
    done: (after) => own(after)[0]?.top === null,
    answer: ["s>1A"],
  },
  {
    key: "attack",
    options,
    position: {
      hands: [
        ["5", "8", "2", "s"],
        ["1", "3", "6", "s"],
      ],
      zones: [zone(column(1)), zone(column(2, "5"), column(0, "2"))],
      pile: { "1": 4, "2": 3, "3": 4, "4": 5, "5": 3, "6": 4, "7": 4, "8": 3, s: 9, m: 4 },
      discards: {},
      turn: 0,
      turns: 10,
    },
    replies: ["~3", "-"],
    done: (after) => own(after).some(({ mauw, top }) => mauw > 0 && top === "5"),
    answer: ["5>2A", "+A"],
  },
  {
    key: "defend",
    options,
    position: {
      hands: [
        ["4", "8", "2", "s"],
        ["4", "3", "6", "s"],
      ],
      zones: [zone(column(2, "4")), zone(column(1), column(0, "2"))],
      pile: { "1": 5, "2": 3, "3": 4, "4": 2, "5": 5, "6": 4, "7": 4, "8": 3, s: 9, m: 4 },
      discards: {},
      turn: 1,
      turns: 10,
    },
    replies: ["4>1A", "~7", "~1", "-"],
    done: (after) => own(after)[0]?.top === "4" && after.turn === 0 && view(after).step === null,
    answer: ["!4"],
  },
  {
    key: "joker",
    options,
    position: {
      hands: [
        ["m", "8", "4", "s"],
        ["1", "3", "5", "s"],
      ],
      zones: [zone(column(0, "6")), zone(column(0, "2"))],
      pile: { "1": 4, "2": 4, "3": 4, "4": 4, "5": 4, "6": 4, "7": 5, "8": 4, s: 10, m: 3 },
      discards: {},
      turn: 0,
      turns: 10,
    },
    replies: ["~2", "^s"],
    done: (after) => own(after).some(({ mauw, top }) => mauw === 1 && top === null),
    answer: ["m=3>1A", "+A"],
  },
  {
    key: "end",
    options,
    position: {
      hands: [
        ["3", "8", "4", "s"],
        ["1", "3", "5", "s"],
      ],
      zones: [zone(column(3, "6"), column(3, "s"), column(2), column(0, "3")), zone(column(2), column(0, "2"))],
      pile: { "1": 3, "2": 3, "3": 1, "4": 3, "5": 3, "6": 3, "7": 4, "8": 3, s: 7, m: 4 },
      discards: {},
      turn: 0,
      turns: 10,
    },
    replies: ["~2"],
    done: (after) => after.outcome?.reason === "three-columns",
    answer: ["3>1D", "+C"],
  },
];
