import type { Face } from "../boards/face";
import { lookup, t } from "../language/language.svelte";
import type { MatchAnswer } from "../wire/types";

/** What the server calls a guest without a name of their own. */
const GUEST = /^Guest (\d{4})$/;

/** The name of a person in the chosen language: only that of a guest without one is translated. */
export function personName(name: string): string {
  const number = GUEST.exec(name)?.[1];
  return number === undefined ? name : t("guest.name", { number });
}

/** Who sits at a seat, as lists name them. */
export function seatLabel(seat: MatchAnswer["seats"][number]): string {
  if (seat.kind === "open") return t("match.open");
  return seat.kind === "bot" ? lookup(`bot.${seat.name}`, seat.name) : personName(seat.name);
}

/** All players of a match in a line; several open seats are counted. */
export function playerList(match: MatchAnswer): string {
  const open = match.seats.filter(({ kind }) => kind === "open").length;
  if (open < 2) return match.seats.map(seatLabel).join(" – ");
  const taken = match.seats.filter(({ kind }) => kind !== "open").map(seatLabel);
  return [...taken, t("list.openSeats", { count: open })].join(" – ");
}

/** The name of a seat: its player, its bot, or, while it is open, the seat itself. */
export function playerName(match: MatchAnswer, face: Face, seat: number): string {
  const player = match.seats[seat];
  if (!player || player.kind === "open") return face.seatName(seat);
  const label = seatLabel(player);
  if (player.kind === "person") return label;
  // Several bots of one name are numbered, or nobody could tell them apart.
  const alike = match.seats.flatMap((each, number) =>
    each.kind === "bot" && each.name === player.name ? [number] : [],
  );
  return alike.length > 1 ? `${label} ${alike.indexOf(seat) + 1}` : label;
}
