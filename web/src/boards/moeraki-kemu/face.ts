import type { Face } from "../face";
import Board from "./Board.svelte";
import Box from "./Box.svelte";
import { course } from "./course";
import { pairLessons } from "./pairs";
import { picture, sections } from "./sections";
import { describe, tribeName } from "./words";

export const face: Face = {
  Board,
  Box,
  layout: "square",
  below: "3.4rem",
  sound: "stone",
  choices: [
    { option: "variant", values: ["beginner", "basic", "master"] },
    { option: "swap", values: [false, true] },
  ],
  seatName: tribeName,
  describe,
  course: [...course, ...pairLessons],
  sections,
  picture,
};
