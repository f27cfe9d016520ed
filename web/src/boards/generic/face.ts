import { t } from "../../language/language.svelte";
import type { GameAnswer } from "../../wire/types";
import type { Choice, Face } from "../face";
import Board from "./Board.svelte";
import Emblem from "./Emblem.svelte";

/** The face of a game that has no board of its own, made of what the server says of the game. */
export function genericFace(game: GameAnswer): Face {
  return {
    Board,
    Emblem,
    layout: "wide",
    sound: "stone",
    choices: Object.entries(game.options).flatMap(([option, value]): Choice[] =>
      // The server sends no list of values, and only those of a yes-or-no option are known without one.
      typeof value === "boolean" ? [{ option, values: [false, true] }] : [],
    ),
    seatName: (seat) => game.seat_names[seat] ?? t("setup.person", { number: seat + 1 }),
    describe: (line, actor, name) => (actor < 0 ? line : `${name(actor)}: ${line}`),
    prompt: () => t("generic.prompt"),
    course: [],
    sections: [],
    picture: { view: null, options: game.options, text: game.text },
  };
}
