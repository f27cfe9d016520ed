// How a series stands, in words: who leads, and at its end who won it.
import { formatList, t } from "../language/language.svelte";
import { gameAnswer } from "../session.svelte";
import type { MatchAnswer } from "../wire/types";

type Counted = Pick<MatchAnswer, "game" | "series" | "mine">;

/** The seats whose players have won the series; several if they shared its last game. */
export function seriesWinners({ to, wins }: MatchAnswer["series"]): number[] {
  return to > 1 ? wins.flatMap((won, seat) => (won >= to ? [seat] : [])) : [];
}

/** Whether a match belongs to a series that another game of it follows or will follow. */
export function goesOn({ series }: Pick<MatchAnswer, "series">): boolean {
  return series.to > 1 && !seriesWinners(series).length;
}

/** The name of a length, such as "Uira"; undefined if it has none. */
export function lengthName({ game, series }: Pick<MatchAnswer, "game" | "series">): string | undefined {
  return gameAnswer(game)?.series.find(({ wins }) => wins === series.to)?.name;
}

/** The games won, those of a seat first, then the most. */
function score({ series }: Counted, first: number): string {
  const others = series.wins.filter((_, seat) => seat !== first).sort((one, other) => other - one);
  return [series.wins[first] ?? 0, ...others].join(t("series.separator"));
}

/** Who leads or has won a series, as seen from the visitor's seats. */
export function seriesStanding(match: Counted, name: (seat: number) => string): string {
  const { series, mine } = match;
  const most = Math.max(...series.wins);
  const leaders = series.wins.flatMap((won, seat) => (won === most ? [seat] : []));
  const first = leaders[0] ?? 0;
  const own = mine.length === 1 ? leaders.find((seat) => mine.includes(seat)) : undefined;
  if (goesOn(match)) {
    if (leaders.length > 1) return t("series.tied", { score: score(match, first) });
    if (own !== undefined) return t("series.lead", { score: score(match, own) });
    return t("series.leads", { name: name(first), score: score(match, first) });
  }
  const called = lengthName(match);
  const values = {
    series: called ? t("series.named", { name: called }) : t("series.unnamed"),
    score: score(match, own ?? first),
  };
  if (own === undefined)
    return t("series.wins", { ...values, name: formatList(leaders.map(name)), count: leaders.length });
  const others = leaders.filter((seat) => seat !== own);
  return others.length
    ? t("series.shared", { ...values, name: formatList(others.map(name)) })
    : t("series.won", values);
}

export interface SeriesRow<M> {
  match: M;
  /** The games of the same series before it, the first one first. */
  earlier: M[];
}

/** One row for each series: its newest game with those before it, as far as they are listed. */
export function seriesRows<M extends MatchAnswer>(matches: M[]): SeriesRow<M>[] {
  const byId = new Map(matches.map((match) => [match.id, match]));
  const rows = matches.filter((match) => !(match.next && goesOn(match) && byId.has(match.next)));
  return rows.map((match) => {
    const earlier: M[] = [];
    let before = match.series.game > 1 ? byId.get(match.previous ?? "") : undefined;
    while (before && goesOn(before)) {
      earlier.unshift(before);
      before = before.series.game > 1 ? byId.get(before.previous ?? "") : undefined;
    }
    return { match, earlier };
  });
}
