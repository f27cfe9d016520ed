import type { Face } from "../boards/face";
import { told } from "../language/language.svelte";
import type { MatchAnswer } from "../wire/types";

/** What a seat is called: by its player, by its bot, or, while nobody sits there, by its place at the game. */
export function playerName(match: MatchAnswer, face: Face, seat: number): string {
  const sitting = match.seats[seat];
  if (!sitting || sitting.kind === "open") return face.seatName(seat);
  if (sitting.kind === "person") return sitting.name;
  // Several bots of one kind are counted, or nobody could tell them apart.
  const alike = match.seats.flatMap((each, number) =>
    each.kind === "bot" && each.name === sitting.name ? [number] : [],
  );
  const label = told(`bot.${sitting.name}`, sitting.name);
  return alike.length > 1 ? `${label} ${alike.indexOf(seat) + 1}` : label;
}
