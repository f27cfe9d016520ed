import type { Face } from "../face";
import Board from "./Board.svelte";
import Box from "./Box.svelte";
import { course } from "./course";
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
    { option: "eye", values: [false, true], when: { variant: "master" } },
    { option: "starter", values: [0, 1] },
    { option: "swap", values: [false, true] },
  ],
  seatName: tribeName,
  describe,
  course,
  sections,
  picture,
};
