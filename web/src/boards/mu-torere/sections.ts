import type { Section } from "../face";

const position = (points: string): unknown => ({ position: { points, turn: 0 } });

export const sections: Section[] = [
  { key: "board", view: position("BBBBWWWW.") },
  { key: "moves", view: position("BBB.WWWWB"), suggested: "5-4" },
  { key: "flank", view: position("WBBBBWWW."), suggested: "2-0" },
  {
    key: "end",
    view: position("BWWWWB.BB"),
    outcome: { winners: [0], reason: "blocked", scores: null, at: [] },
  },
  { key: "options", view: position("BBBWWW.") },
  { key: "notation" },
];
