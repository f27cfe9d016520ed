import type { Face } from "../face";
import Board from "./Board.svelte";
import * as coach from "./coach";
import { course } from "./course";
import Goals from "./Goals.svelte";
import Piece from "./Piece.svelte";
import { sections } from "./sections";
import { describe, sideName } from "./words";

export const face: Face = {
  Board,
  players: "strips",
  Piece,
  loadEditor: async () => (await import("./Editor.svelte")).default,
  layout: "square",
  thumbnail: { background: "radial-gradient(circle, #3a2818, #150d07)", width: "60%" },
  sound: "slide",
  choices: [
    { option: "flank", values: ["always", "opening"] },
    { option: "arms", values: [8, 4, 6, 10, 12, 14, 16] },
    { option: "repetition", values: [true, false] },
  ],
  seatName: (seat) => sideName(seat === 0 ? "B" : "W"),
  describe,
  ...coach,
  stages: ["1", "2", "3", "4", "5", "6", "7", "8"].map((bot) => ({ options: { flank: "always", arms: 8 }, bot })),
  Goals,
  course,
  sections,
  picture: { view: { position: { points: "BWBB.WWWB", turn: 0 }, occurrences: 1 }, options: {} },
};
