// How never to lose by a line: every line contains a whole pair, and who answers in the pair holds a hollow of each.
import type { Step } from "../../wire/types";
import type { Lesson } from "../face";
import type { View } from "./view";

/** The pairs of the certificate for the ball on f6. */
const PAIRS =
  "a9-b10 c9-d10 d8-e7 b8-c7 b6-c5 b4-c3 c1-b2 d4-e5 d2-e3 f2-g3 h4-i3 f4-g5 h6-i5 " +
  "h2-i1 j2-k3 e1-g1 j4-k5 k9-k7 j10-i11 i9-j8 i7-j6 g7-h8 g9-h10 e9-f10 a7-a5 c11-e11";
const pairs = PAIRS.split(" ").map((pair) => pair.split("-") as [string, string]);

/** What level 8 laid in a game on f6, and what the pairs answered; a stone without a partner is answered anywhere. */
const THEIRS = "c3 c9 i9 g3 d4 d2 j2 c1 g9 a9 c7 k7 i5 i11 f8 b6 e11 h8 d6 k5 f10 i3 a5 f4 d8 e1 h2 i7".split(" ");
const MINE = "b4 d10 j8 f2 e5 e3 k3 b2 h10 b10 b8 k9 h6 j10 a3 c5 c11 g7 g11 j4 e9 h4 a7 g5 e7 g1 i1 j6".split(" ");

/** The game after so many stones of each side; level 8 is to move. */
function after(stones: number): Record<string, unknown> {
  const laid = [MINE.slice(0, stones), THEIRS.slice(0, stones)];
  return { ball: "f6", stones: laid, tane: [null, null], turn: 1 };
}

const stones = (step: Step, seat: 0 | 1): string[] => (step.view as View).position.stones[seat];

/** Whether each pair that the other side has begun is answered. */
const answered = (step: Step): boolean =>
  pairs.every(([one, two]) =>
    [
      [one, two],
      [two, one],
    ].every(([theirs, mine]) => !stones(step, 1).includes(theirs!) || stones(step, 0).includes(mine!)),
  );

const options = { variant: "beginner" };

/** Lessons that the learner solves by answering in the pair; the replies are the stones of level 8. */
export const pairLessons: Lesson[] = [
  {
    key: "pair",
    options,
    pairs,
    position: after(0),
    replies: THEIRS.slice(0, 1),
    done: answered,
    answer: MINE.slice(0, 1),
  },
  {
    key: "pairs",
    options,
    pairs,
    position: after(1),
    replies: THEIRS.slice(1, 5),
    done: (step) => stones(step, 0).length === 5 && answered(step),
    answer: MINE.slice(1, 5),
  },
  {
    key: "draw",
    options,
    pairs,
    position: after(20),
    replies: THEIRS.slice(20),
    done: (step) => step.outcome?.reason === "draw",
    answer: MINE.slice(20),
  },
];
