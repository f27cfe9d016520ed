import type { Face } from "../face";
import Board from "./Board.svelte";
import Box from "./Box.svelte";
import { course } from "./course";
import Piece from "./Piece.svelte";
import { picture, sections } from "./sections";
import Strip from "./Strip.svelte";
import { describe, tribeName } from "./words";

export const face: Face = {
  Board,
  Box,
  players: "strips",
  Piece,
  Strip,
  layout: "square",
  below: "1.8rem",
  sound: "stone",
  choices: [
    { option: "variant", values: ["beginner", "basic", "master"] },
    { option: "swap", values: [false, true] },
  ],
  seatName: tribeName,
  describe,
  course,
  sections,
  picture,
};
