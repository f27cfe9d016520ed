import type { Step } from "../../wire/types";
import type { Lesson } from "../face";
import type { TopCard } from "./cards";
import type { ColumnDocument, View } from "./view";

const view = (step: Step): View => step.view as View;
const own = (step: Step): ColumnDocument[] => view(step).zones[0] ?? [];
const empty: ColumnDocument = { mauw: 0, top: null };
const column = (mauw: number, top: TopCard | null = null): ColumnDocument => ({ mauw, top });
const zone = (...columns: ColumnDocument[]): ColumnDocument[] => [...columns, empty, empty, empty, empty].slice(0, 4);
const options = { players: 2 };
const DECK = { "1": 5, "2": 5, "3": 5, "4": 5, "5": 5, "6": 5, "7": 5, "8": 5, s: 12, m: 4 };
const TAKEN = ["s", "8", "7", "6"];

/** A position of two: what is neither held nor lies open is in the pile, the Mauw taken from it evenly. */
function table(own: string, other: string, zones: ColumnDocument[][], turn = 0): Record<string, unknown> {
  const hands = [own.split(" "), other.split(" ")];
  const pile: Record<string, number> = { ...DECK };
  const columns = zones.flat();
  const open = [...hands.flat(), ...columns.flatMap(({ top }) => top ?? [])];
  const covered = columns.reduce((sum, { mauw }) => sum + mauw, 0);
  const taken = Array.from({ length: covered }, (_, number) => TAKEN[number % TAKEN.length]!);
  for (const card of [...open, ...taken]) pile[card]! -= 1;
  return { hands, zones, pile, discards: {}, turn, turns: 10 };
}

/** Positions and what is to be done in each; the server says what is legal and what follows. */
export const course: Lesson[] = [
  {
    key: "goal",
    options,
    position: table("2 5 8 s", "1 3 5 s", [zone(column(1)), zone(column(1), column(0, "2"))]),
    replies: ["~4"],
    done: (after) => (view(after).scores[0] ?? 0) > (view(after).scores[1] ?? 0),
    answer: ["8>1B"],
  },
  {
    key: "lay",
    options,
    position: table("2 5 8 s", "1 3 5 s", [zone(), zone()]),
    replies: ["~4"],
    done: (after) => own(after).some(({ top }) => top !== null),
    answer: ["8>1A"],
  },
  {
    key: "nine",
    options,
    position: table("2 5 8 s", "1 3 5 s", [zone(column(0, "7")), zone(column(0, "3"))]),
    replies: ["~4", "^6"],
    done: (after) => own(after).some(({ mauw }) => mauw === 1),
    answer: ["2>1A", "+B"],
  },
  {
    key: "pair",
    options,
    position: table("6 5 8 s", "1 3 5 s", [zone(column(0, "6"), column(1)), zone(column(0, "3"))]),
    replies: ["~4"],
    done: (after) => own(after).some(({ mauw, top }) => mauw === 2 && top === "6"),
    answer: ["6>1A", "+B"],
  },
  {
    key: "score",
    options,
    position: table("1 8 4 s", "1 3 5 s", [zone(column(2), column(0, "8"), empty, column(1, "4")), zone(column(1))]),
    replies: ["~2"],
    done: (after) => view(after).scores[0] === 72,
    answer: ["8>1B", "+A"],
  },
  {
    key: "block",
    options,
    position: table("1 8 4 s", "1 3 5 s", [zone(column(0, "6")), zone(column(3), column(0, "2"))]),
    replies: ["~2"],
    done: (after) => (view(after).scores[1] ?? 0) <= 2,
    answer: ["s>2A"],
  },
  {
    key: "unblock",
    options,
    position: table("1 8 4 s", "1 3 5 s", [zone(column(2, "s"), column(0, "6")), zone(column(1))]),
    replies: ["~2"],
    done: (after) => own(after)[0]?.top === null,
    answer: ["s>1A"],
  },
  {
    key: "attack",
    options,
    position: table("5 8 2 s", "1 3 6 s", [zone(column(1)), zone(column(2, "5"), column(0, "2"))]),
    replies: ["~3", "-"],
    done: (after) => own(after).some(({ mauw, top }) => mauw > 0 && top === "5"),
    answer: ["5>2A", "+A"],
  },
  {
    key: "defend",
    options,
    position: table("4 8 2 s", "4 3 6 s", [zone(column(2, "4")), zone(column(1), column(0, "2"))], 1),
    replies: ["4>1A", "~7", "~1", "-"],
    done: (after) => own(after)[0]?.top === "4" && after.turn === 0 && view(after).step === null,
    answer: ["!4"],
  },
  {
    key: "joker",
    options,
    position: table("m 8 4 s", "1 3 5 s", [zone(column(0, "6")), zone(column(0, "2"))]),
    replies: ["~2", "^s"],
    done: (after) => own(after).some(({ mauw, top }) => mauw === 1 && top === null),
    answer: ["m=3>1A", "+A"],
  },
  {
    key: "end",
    options,
    position: table("3 8 4 s", "1 3 5 s", [
      zone(column(3, "6"), column(3, "s"), column(2), column(0, "3")),
      zone(column(2), column(0, "2")),
    ]),
    replies: ["~2"],
    done: (after) => after.outcome?.reason === "three-columns",
    answer: ["3>1D", "+C"],
  },
];
