import type { Face } from "../face";
import Board from "./Board.svelte";
import Emblem from "./Emblem.svelte";
import { course } from "./course";
import { picture, sections } from "./sections";
import { describe, t } from "./words";

export const face: Face = {
  Board,
  Emblem,
  layout: "wide",
  thumbnail: { background: "radial-gradient(circle at 50% 80%, #24504a, #0d1a19)" },
  sound: "card",
  choices: [{ option: "players", values: [2, 3, 4, 5, 6] }],
  seatName: (seat) => t("mauw.player", { number: seat + 1 }),
  describe,
  course,
  sections,
  picture,
};
