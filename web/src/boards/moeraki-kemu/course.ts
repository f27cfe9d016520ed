import type { Step } from "../../wire/types";
import type { Lesson } from "../face";
import type { LyingTile, StandingTane, View } from "./view";

const view = (step: Step): View => step.view as View;
const tile = (step: Step, at: string): LyingTile | undefined => view(step).tiles.find((lying) => lying.at === at);
const tane = (step: Step): StandingTane | null | undefined => view(step).position.tane[0];
const won =
  (reason: string) =>
  (after: Step): boolean =>
    after.outcome?.reason === reason && after.outcome.winners[0] === 0;
const laid = (step: Step, at: string): boolean => view(step).position.stones[0].includes(at);

const beginner = { variant: "beginner" };
const basic = { variant: "basic" };
const master = { variant: "master" };

/** A position by the names of its stones; the learner is Matau and, unless lookup, to move. */
function lying(ball: string, matau: string, manaia: string, more: Record<string, unknown> = {}) {
  return { ball, stones: [matau.split(" "), manaia.split(" ")], tane: [null, null], turn: 0, ...more };
}

/** Matau is asked for the Tane while three tiles of Manaia lie in a row. */
const sweep = lying("d6", "c1 f4 f6 f8 g5 g7 i9", "e5 h6 h8 i7 j10 j8 k9", { step: { stone: "f4" } });

/** Positions and what is to be done in each; the server says what is legal and what follows. */
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
    position: lying("f4", "e7 f8 g7", "b2 c11 j2 j8"),
    done: won("tahuna"),
    answer: ["f6"],
  },
  {
    key: "nostone",
    options: beginner,
    position: lying("f6", "e7 f8 g7 g9", "c3 d2 g11 g5 i1"),
    done: won("tahuna"),
    answer: ["h8"],
  },
  {
    key: "awa",
    options: beginner,
    position: lying("f6", "a9 c11 g5", "b4 d8 i7 j2"),
    done: won("awa"),
    answer: ["b10"],
  },
  {
    key: "awaball",
    options: beginner,
    position: lying("f6", "g7 h8 j10", "b4 f10 f2 j4"),
    done: won("awa"),
    answer: ["i9"],
  },
  {
    key: "ara",
    options: beginner,
    position: lying("g7", "k3 k5 k9", "c9 f4 g5 j10"),
    done: won("ara"),
    answer: ["k7"],
  },
  {
    key: "stop",
    options: beginner,
    position: lying("f8", "g11 j8", "d4 d6 e5"),
    done: (after) => laid(after, "c5"),
    answer: ["c5"],
  },
  {
    key: "tile",
    options: basic,
    position: lying("d6", "g7 h8", "a3 a5 h6"),
    done: (after) => tile(after, "h7")?.tribe === 0,
    answer: ["i7"],
  },
  {
    key: "even",
    options: basic,
    position: lying("f6", "h4", "i3 i5"),
    done: (after) => laid(after, "j4") && !tile(after, "i4"),
    answer: ["j4"],
  },
  {
    key: "half",
    options: basic,
    position: lying("f6", "e11 g5", "g11 h8 j6"),
    done: (after) => tile(after, "f11")?.worth === "1/2",
    answer: ["f10"],
  },
  {
    key: "full",
    options: basic,
    position: lying("f6", "i11 k5 k7", "e7 g1 h6 h8"),
    done: (after) => tile(after, "k6")?.worth === "1",
    answer: ["j6"],
  },
  {
    key: "marae",
    options: basic,
    position: lying(
      "f8",
      "e1 g1 i1 b2 d2 f2 a3 g3 i3 b4 d4 f4 g5 i5 k5 d6 j6 c7 g7 i7 b8 d8 e9 g9 k9 h10 c11",
      "c1 h2 j2 c3 e3 k3 h4 j4 a5 c5 e5 b6 f6 h6 a7 e7 k7 h8 j8 c9 i9 b10 d10 f10 j10 e11 g11 i11",
    ),
    done: won("marae"),
    answer: ["a9"],
  },
  {
    key: "tane",
    options: master,
    position: sweep,
    done: (after) => tane(after) !== null && !tile(after, "h7") && !tile(after, "i8") && !tile(after, "j9"),
    answer: ["Tf5ne"],
  },
  {
    key: "keep",
    options: master,
    position: sweep,
    done: (after) => tane(after) === null && tile(after, "f5") !== undefined,
    answer: ["-"],
  },
  {
    key: "rim",
    options: master,
    position: lying("d6", "k5 k7 j6 g3 c9", "h4 h2 i3 g1 f2", { step: { stone: "j6" } }),
    done: (after) => tane(after)?.at === "k6" && !tile(after, "h3") && !tile(after, "g2"),
    answer: ["Tk6sw"],
  },
  {
    key: "barred",
    options: master,
    position: lying("h6", "d4 d6 f6 f8 g7", "a9 d8 e5 e7 h10 h4", { tane: [{ at: "f7", looks: "sw" }, null] }),
    done: (after) => laid(after, "c5"),
    answer: ["c5"],
  },
  {
    key: "cross",
    options: master,
    position: lying("f4", "d4 f6 f8 g7 i3 i5 j4", "b4 c3 c5 d6 e7 h4 k5", {
      tane: [null, { at: "c4", looks: "ne" }],
      step: { stone: "i3" },
    }),
    done: (after) => tile(after, "f7")?.tribe === 0,
    answer: ["Ti4nw"],
  },
  {
    key: "later",
    options: master,
    position: lying("f4", "d4 f6 f8 i3 i5 j4", "b4 c3 c5 d6 e7 h4 k5", {
      tane: [
        { at: "i4", looks: "nw" },
        { at: "c4", looks: "ne" },
      ],
    }),
    done: (after) => tile(after, "f7")?.tribe === 0,
    answer: ["g7"],
  },
  {
    key: "meet",
    options: master,
    position: lying("f4", "c3 c5 d4 d6 e11 f2 g7 i9", "b4 e5 e7 f6 f8 g9 h10 h8", {
      tane: [null, { at: "g8", looks: "se" }],
      step: { stone: "c3" },
    }),
    done: (after) => tane(after)?.looks === "ne" && !tile(after, "e6") && tile(after, "h9") !== undefined,
    answer: ["Tc4ne"],
  },
  {
    key: "theirs",
    options: master,
    position: lying("d6", "g7 h8 i7", "b8 c1 i3", { turn: 1 }),
    replies: ["h6"],
    done: (after) => after.turn === 0 && view(after).asked === null,
    answer: ["Th7sw"],
  },
];
