import type { Face } from "../face";
import "./stones.css";
import Board from "./Board.svelte";
import Box from "./Box.svelte";
import * as coach from "./coach";
import { course } from "./course";
import Goals from "./Goals.svelte";
import Piece from "./Piece.svelte";
import { pairLessons } from "./pairs";
import Prediction from "./Prediction.svelte";
import { picture, sections } from "./sections";
import { settled } from "./settled";
import Sign from "./Sign.svelte";
import Strip from "./Strip.svelte";
import Trophy from "./Trophy.svelte";
import { describe, tribeName } from "./words";

export const face: Face = {
  Board,
  Box,
  players: "strips",
  Piece,
  Prediction,
  Sign,
  Strip,
  Trophy,
  loadEditor: async () => (await import("./Editor.svelte")).default,
  layout: "square",
  below: "1.8rem",
  sound: "stone",
  choices: [
    { option: "variant", values: ["beginner", "basic", "master"] },
    { option: "eye", values: [false, true], when: { variant: ["basic", "master"] } },
    { option: "starter", values: [0, 1] },
    { option: "swap", values: [false, true] },
    { option: "stay", values: [false, true] },
  ],
  settled,
  seatName: tribeName,
  describe,
  ...coach,
  stages: [
    ...["1", "2", "3"].map((bot) => ({ options: { variant: "beginner" }, bot })),
    ...["2", "3"].map((bot) => ({ options: { variant: "basic" }, bot })),
    ...["3", "4", "5", "6", "7", "8"].map((bot) => ({ options: { variant: "master" }, bot })),
  ],
  Goals,
  course: [...course, ...pairLessons],
  sections,
  picture,
};
