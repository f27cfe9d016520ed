import type { Section } from "../face";

const position = (points: string, turn = 0): unknown => ({ position: { points, turn } });

export const sections: Section[] = [
  { key: "board", view: position("BBBBWWWW.") },
  { key: "moves", view: position("BBB.WWWWB", 1), suggested: "5-4" },
  { key: "flank", view: position("WBBBBWWW."), suggested: "2-0" },
  {
    key: "end",
    view: position("BWWWWB.BB", 1),
    outcome: { winners: [0], reason: "blocked", scores: null, at: [] },
  },
  { key: "options", view: position("BBBWWW.") },
  { key: "rulings" },
  { key: "notation" },
];
