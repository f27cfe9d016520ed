import type { Section } from "../face";

const position = (points: string): unknown => ({ position: { points, turn: 0 } });

export const sections: Section[] = [
  { key: "board", view: position("BBBBWWWW.") },
  { key: "moves", view: position("BBB.WWWWB") },
  { key: "flank", view: position("WBBBBWWW.") },
  {
    key: "end",
    view: position("BWWWWB.BB"),
    outcome: { winners: [0], reason: "blocked", scores: null, at: [] },
  },
  { key: "options", view: position("BBBWWW.") },
  { key: "notation" },
];
