import type { Face } from "../boards/face";
import { lookup, t } from "../language/language.svelte";
import type { MatchAnswer } from "../wire/types";

/** What the server calls a guest without a name of their own. */
const GUEST = /^Guest (\d{4})$/;
/** What the server calls somebody whose account was deleted. */
const DELETED = "Deleted player";

/** Whether somebody has the name that the server gave. */
export const isGuest = (name: string): boolean => GUEST.test(name);

/** The name of a person in the chosen language: only that of a guest without one is translated. */
export function personName(name: string): string {
  if (name === DELETED) return t("guest.deleted");
  const number = GUEST.exec(name)?.[1];
  return number === undefined ? name : t("guest.name", { number });
}

/** Bots on the ladder are called by their level. */
const LEVEL = /^\d+$/;

/** The name of a bot as sentences use it, such as "Level 1". */
export function botName(bot: string): string {
  return LEVEL.test(bot) ? t("bot.level", { level: bot }) : lookup(`bot.${bot}`, bot);
}

/** Who played in a record: a person, or a bot by its key. */
export function recordedName(player: string): string {
  return LEVEL.test(player) ? botName(player) : lookup(`bot.${player}`, personName(player));
}

/** For whom a level is, in a word or two; empty for other bots. */
export function botAudience(bot: string): string {
  return LEVEL.test(bot) ? lookup(`bot.${bot}`, "") : "";
}

/** A bot as one chooses it, such as "Level 1 · first game". */
export function botChoice(bot: string): string {
  return [botName(bot), botAudience(bot)].filter(Boolean).join(" · ");
}

/** Who sits at a seat, as lists name them. */
export function seatLabel(seat: MatchAnswer["seats"][number]): string {
  if (seat.kind === "open") return t("match.open");
  return seat.kind === "bot" ? botName(seat.name) : personName(seat.name);
}

/** Players of a match as a line names them: a person, or how many open seats or bots of one name there are. */
interface PlayerGroup {
  label: string;
  kind: string;
  count: number;
  /** The first of their seats. */
  seat: number;
}

/** All players of a match in a line. */
export const playerList = (match: MatchAnswer): string =>
  playerGroups(match)
    .map(({ label }) => label)
    .join(" – ");

/** The players of a match in groups; several open seats, and several bots of one name, are counted. */
export function playerGroups(match: MatchAnswer): PlayerGroup[] {
  const groups = new Map<string, PlayerGroup>();
  match.seats.forEach((seat, number) => {
    const label = seatLabel(seat);
    const key = seat.kind === "person" ? String(number) : `${seat.kind} ${label}`;
    const before = groups.get(key);
    groups.set(key, { label, kind: seat.kind, count: (before?.count ?? 0) + 1, seat: before?.seat ?? number });
  });
  return [...groups.values()]
    .sort((one, other) => Number(one.kind === "open") - Number(other.kind === "open"))
    .map((group) => {
      const { label, kind, count } = group;
      if (count === 1) return group;
      return {
        ...group,
        label: kind === "open" ? t("list.openSeats", { count }) : t("bot.several", { count, name: label }),
      };
    });
}

/** The name of a seat: its player, its bot, or, while it is open, the seat itself. */
export function playerName(match: MatchAnswer, face: Face, seat: number): string {
  const player = match.seats[seat];
  if (!player || player.kind === "open") return face.seatName(seat);
  const label = seatLabel(player);
  if (player.kind === "person") return label;
  if (face.botName) return face.botName(seat);
  // Several bots of one name are numbered, or nobody could tell them apart.
  const alike = match.seats.flatMap((each, number) =>
    each.kind === "bot" && each.name === player.name ? [number] : [],
  );
  return alike.length > 1 ? `${label} (${alike.indexOf(seat) + 1})` : label;
}
