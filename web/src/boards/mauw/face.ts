import type { Face } from "../face";
import Board from "./Board.svelte";
import * as coach from "./coach";
import Emblem from "./Emblem.svelte";
import { course } from "./course";
import Goals from "./Goals.svelte";
import Ranking from "./Ranking.svelte";
import Odds from "./Odds.svelte";
import OpenHands from "./OpenHands.svelte";
import { picture, sections } from "./sections";
import { entries } from "./log";
import { describe, t } from "./words";

export const face: Face = {
  Board,
  Box: Ranking,
  loadEditor: async () => (await import("./Editor.svelte")).default,
  Emblem,
  Odds,
  Open: OpenHands,
  layout: "wide",
  players: "board",
  asks: true,
  thumbnail: { background: "radial-gradient(circle at 50% 80%, #24504a, #0d1a19)" },
  sound: "card",
  choices: [{ option: "players", values: [2, 3, 4, 5, 6] }],
  seatName: (seat) => t("mauw.player", { number: seat + 1 }),
  describe,
  entries,
  // Cats are called by the colours of their coats, in Māori.
  botName: (seat) => ["Karaka", "Kahurangi", "Whero", "Kākāriki", "Poroporo", "Kirīmi"][seat] ?? "",
  forced: (action) => /^[-x+]/.test(action),
  ...coach,
  stages: ["1", "2", "3", "4", "5", "6", "7", "8"].map((bot) => ({ options: { players: 3 }, bot })),
  Goals,
  course,
  sections,
  picture,
};
