import type { Lesson } from "../face";
import { at } from "./star";
import type { View } from "./view";

const points = (step: { view: unknown }): string => (step.view as View).position.points;

/** Positions of the star and what is to be done in each; the server says what is legal and what follows. */
export const course: Lesson[] = [
  {
    key: "enter",
    position: { points: "BBBBWWWW.", turn: 0 },
    done: (after) => at(points(after), 0) === "B",
    answer: ["4-0"],
  },
  {
    key: "step",
    position: { points: "BBB.WWWWB", turn: 1 },
    seat: 1,
    done: (after) => at(points(after), 4) === "W",
    answer: ["5-4"],
  },
  {
    key: "leave",
    position: { points: "BB.BWWWWB", turn: 0 },
    done: (after) => at(points(after), 0) === ".",
    answer: ["0-3"],
  },
  {
    key: "flank",
    position: { points: "WBBBBWWW.", turn: 0 },
    done: (after) => at(points(after), 0) === "B",
    answer: ["2-0"],
  },
  {
    key: "trap",
    position: { points: "BWWWW.BBB", turn: 0 },
    done: (after) => after.outcome?.reason === "blocked",
    answer: ["7-6"],
  },
  {
    key: "hold",
    position: { points: ".BWWWWBBB", turn: 0 },
    done: (after) => after.outcome?.winners[0] === 0,
    answer: ["8-1"],
  },
];
