import { t } from "../../language/language.svelte";
import type { Face } from "../face";
import Board from "./Board.svelte";
import Emblem from "./Emblem.svelte";
import { course } from "./course";
import { picture, sections } from "./sections";
import { say } from "./words";

export const face: Face = {
  Board,
  Emblem,
  sound: "card",
  secret: true,
  choices: [{ option: "players", values: [2, 3, 4, 5, 6] }],
  seatName: (seat) => t("mauw.player", { number: seat + 1 }),
  say,
  course,
  sections,
  picture,
};
