import { t } from "../../language/language.svelte";
import type { Face } from "../face";
import Board from "./Board.svelte";
import Box from "./Box.svelte";
import { course } from "./course";
import type { Looks } from "./lattice";
import { picture, sections } from "./sections";

export const face: Face = {
  Board,
  Box,
  sound: "stone",
  secret: false,
  choices: [
    { option: "variant", values: ["beginner", "basic", "master"] },
    { option: "swap", values: [false, true] },
  ],
  seatName: (seat) => (seat === 0 ? t("moeraki.matau") : t("moeraki.manaia")),
  say(line, actor, name) {
    const who = { name: name(actor) };
    if (line.startsWith("@")) return t("moeraki.sayBall", { ...who, at: line.slice(1) });
    if (line.startsWith("T")) {
      const looks = t(`moeraki.${line.slice(-2) as Looks}`);
      return t("moeraki.sayTane", { ...who, at: line.slice(1, -2), looks });
    }
    if (line === "-") return t("moeraki.sayKeep", who);
    if (line === "swap") return t("moeraki.saySwap", who);
    return t("moeraki.sayStone", { ...who, at: line });
  },
  course,
  sections,
  picture,
};
