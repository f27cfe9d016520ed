// What a tournament is, in words; points are shown in won games.
import { formatNumber, t } from "../language/language.svelte";
import { clockTerms, variantTerms } from "../match/terms";
import { botName } from "../match/names";
import { gameTitle } from "../session.svelte";
import type { Entrant, RoundPairing, TournamentTerms } from "../wire/types";

const FULL_POINTS = 120;
const HUNDREDTHS = 100;

export const inGames = (points: number): string =>
  formatNumber(Math.round((points / FULL_POINTS) * HUNDREDTHS) / HUNDREDTHS);

/** Kind, game, clock and what else is worth saying, in a few words each. */
export function tournamentTerms(terms: TournamentTerms): string[] {
  return [
    t(`tournament.system.${terms.system}`),
    gameTitle(terms.game),
    ...variantTerms(terms.game, terms.options ?? {}),
    clockTerms(terms.clock),
    ...((terms.wins ?? 1) > 1 ? [t("setup.wins", { count: terms.wins! })] : []),
    ...(terms.appointments ? [t("tournament.appointments")] : []),
    ...(terms.rated ? [t("setup.rated")] : []),
  ];
}

export const entrantName = (entrant: Entrant | undefined): string =>
  entrant === undefined ? "" : entrant.bot ? t("tournament.computer", { name: botName(entrant.bot) }) : entrant.name;

/** The points of each player of a pairing so far, in the order of its players; "" before the first result. */
export function pairingResult(pairing: RoundPairing): string {
  const played = pairing.games.filter(({ points }) => points);
  if (!played.length) return "";
  const sums = pairing.players.map((player) =>
    played.reduce((sum, game) => sum + (game.points![game.seats.indexOf(player)] ?? 0), 0),
  );
  return sums.map(inGames).join(" – ");
}
