import type { Face } from "../boards/face";
import { lookup } from "../language/language.svelte";
import type { MatchAnswer } from "../wire/types";

/** The name of a seat: its player, its bot, or, while it is open, the seat itself. */
export function playerName(match: MatchAnswer, face: Face, seat: number): string {
  const player = match.seats[seat];
  if (!player || player.kind === "open") return face.seatName(seat);
  if (player.kind === "person") return player.name;
  // Several bots of one name are numbered, or nobody could tell them apart.
  const alike = match.seats.flatMap((each, number) =>
    each.kind === "bot" && each.name === player.name ? [number] : [],
  );
  const label = lookup(`bot.${player.name}`, player.name);
  return alike.length > 1 ? `${label} ${alike.indexOf(seat) + 1}` : label;
}
