import { beforeAll, describe, expect, it } from "vitest";
import { loadLanguage } from "../language/language.svelte";
import { session } from "../session.svelte";
import type { GameAnswer, MatchAnswer } from "../wire/types";
import { goesOn, seriesRows, seriesStanding, seriesWinners } from "./series";

beforeAll(async () => {
  await loadLanguage("en");
  session.games = [{ key: "moeraki-kemu", series: [{ name: "Uira", wins: 3 }] } as unknown as GameAnswer];
});

const name = (seat: number): string => ["Hine", "Tama", "Ana"][seat] ?? "";
const counted = (to: number, wins: number[], mine: number[] = []) => ({
  game: "moeraki-kemu",
  series: { to, game: 1, wins },
  mine,
});

describe("a series in words", () => {
  it("says who leads, from the visitor's seat", () => {
    expect(seriesStanding(counted(3, [1, 0], [0]), name)).toBe("You lead 1–0");
    expect(seriesStanding(counted(3, [0, 2], [1]), name)).toBe("You lead 2–0");
    expect(seriesStanding(counted(3, [0, 2], [0]), name)).toBe("Tama leads 2–0");
    expect(seriesStanding(counted(3, [2, 1]), name)).toBe("Hine leads 2–1");
    expect(seriesStanding(counted(3, [1, 1], [0]), name)).toBe("Tied 1–1");
    expect(seriesStanding(counted(3, [1, 0], [0, 1]), name)).toBe("Hine leads 1–0");
  });

  it("names the series and everybody who won it", () => {
    expect(seriesStanding(counted(3, [3, 0], [0]), name)).toBe("You win the Uira 3–0!");
    expect(seriesStanding(counted(3, [1, 3], [0]), name)).toBe("Tama wins the Uira 3–1.");
    expect(seriesStanding(counted(2, [2, 1], [0]), name)).toBe("You win the series 2–1!");
    expect(seriesStanding(counted(2, [2, 2, 1], [2]), name)).toBe("Hine and Tama share the series.");
    expect(seriesStanding(counted(2, [2, 2, 1], [0]), name)).toBe("You share the series with Tama!");
  });

  it("ends with enough wins, and a single game is none", () => {
    expect(seriesWinners({ to: 2, game: 3, wins: [2, 1, 2] })).toEqual([0, 2]);
    expect(goesOn(counted(2, [1, 1]))).toBe(true);
    expect(goesOn(counted(2, [2, 1]))).toBe(false);
    expect(goesOn(counted(1, [0, 0]))).toBe(false);
  });
});

describe("the rows of a list", () => {
  const match = (id: string, wins: number[], more: Partial<MatchAnswer> = {}) =>
    ({
      id,
      game: "moeraki-kemu",
      series: { to: 2, game: wins[0]! + wins[1]! || 1, wins },
      next: null,
      previous: null,
      ...more,
    }) as MatchAnswer;

  it("joins the games of a series, and not two series of the same players", () => {
    const again = match("d", [0, 0], { previous: "c" });
    const last = match("c", [2, 1], { previous: "b", next: "d", series: { to: 2, game: 3, wins: [2, 1] } });
    const second = match("b", [1, 1], { previous: "a", next: "c", series: { to: 2, game: 2, wins: [1, 1] } });
    const first = match("a", [1, 0], { next: "b" });
    const rows = seriesRows([again, last, second, first]).map((row) => [row.match.id, row.earlier.map(({ id }) => id)]);
    expect(rows).toEqual([
      ["d", []],
      ["c", ["a", "b"]],
    ]);
  });

  it("keeps rematches of single games apart", () => {
    const second = match("b", [0, 1], { previous: "a", series: { to: 1, game: 1, wins: [0, 1] } });
    const first = match("a", [1, 0], { next: "b", series: { to: 1, game: 1, wins: [1, 0] } });
    expect(seriesRows([second, first])).toHaveLength(2);
  });
});
