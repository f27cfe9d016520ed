import { t } from "../../language/language.svelte";
import type { Face } from "../face";
import Board from "./Board.svelte";
import { course } from "./course";
import { sections } from "./sections";

const place = (point: string): string => (point === "0" ? t("mu.putahi") : t("mu.kewai", { number: Number(point) }));

export const face: Face = {
  Board,
  sound: "slide",
  secret: false,
  choices: [
    { option: "flank", values: ["always", "opening"] },
    { option: "arms", values: [8, 4, 6, 10, 12, 14, 16] },
  ],
  seatName: (seat) => (seat === 0 ? t("mu.black") : t("mu.white")),
  say(line, actor, name) {
    const [from = "", to = ""] = line.split("-");
    return t("mu.say", { name: name(actor), from: place(from), to: place(to) });
  },
  course,
  sections,
  picture: { view: { position: { points: "BWBB.WWWB", turn: 0 }, occurrences: 1 }, options: {} },
};
