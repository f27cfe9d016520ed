import type { Face } from "../face";
import Board from "./Board.svelte";
import Box from "./Box.svelte";
import * as coach from "./coach";
import { course } from "./course";
import Goals from "./Goals.svelte";
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
  ...coach,
  stages: [
    ...["1", "2", "3"].map((bot) => ({ options: { variant: "beginner" }, bot })),
    ...["2", "3"].map((bot) => ({ options: { variant: "basic" }, bot })),
    ...["3", "4", "5", "6", "7", "8"].map((bot) => ({ options: { variant: "master" }, bot })),
  ],
  Goals,
  course,
  sections,
  picture,
};
