import type { Face } from "../face";
import Board from "./Board.svelte";
import { course } from "./course";
import Piece from "./Piece.svelte";
import { sections } from "./sections";
import { describe, sideName } from "./words";

export const face: Face = {
  Board,
  players: "strips",
  Piece,
  layout: "square",
  thumbnail: { background: "radial-gradient(circle, #3a2818, #150d07)", width: "60%" },
  sound: "slide",
  choices: [
    { option: "flank", values: ["always", "opening"] },
    { option: "arms", values: [8, 4, 6, 10, 12, 14, 16] },
  ],
  seatName: (seat) => sideName(seat === 0 ? "B" : "W"),
  describe,
  course,
  sections,
  picture: { view: { position: { points: "BWBB.WWWB", turn: 0 }, occurrences: 1 }, options: {} },
};
