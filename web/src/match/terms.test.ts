import { beforeAll, describe, expect, it } from "vitest";
import { loadLanguage } from "../language/language.svelte";
import { session } from "../session.svelte";
import type { GameAnswer, MatchAnswer } from "../wire/types";
import { botChoice, personName, playerList, seatLabel } from "./names";
import { clockTerms, seriesTerms, variantTerms } from "./terms";

const game = (key: string, options: Record<string, unknown>): GameAnswer => ({ key, options }) as GameAnswer;

beforeAll(async () => {
  session.games = [
    game("moeraki-kemu", { variant: "master", starter: 0, moved_from: null, swap: false, eye: false }),
    game("nim", { sticks: 12, misere: false }),
  ];
  await loadLanguage("en");
});

describe("the terms of a match", () => {
  it("name the variant always, and other options when they are not as usual", () => {
    const usual = session.games[0]!.options;
    expect(variantTerms("moeraki-kemu", usual)).toEqual(["Master’s game"]);
    expect(variantTerms("moeraki-kemu", { ...usual, eye: true, swap: true })).toEqual([
      "Master’s game",
      "first stone can be taken over",
      "with the eye",
    ]);
    expect(variantTerms("moeraki-kemu", { ...usual, moved_from: "e5" })).toEqual(["Master’s game"]);
    expect(variantTerms("mauw", { players: 4 })).toEqual(["4 players"]);
  });

  it("name the options of a game without a catalogue as the server does", () => {
    expect(variantTerms("nim", { sticks: 12, misere: false })).toEqual([]);
    expect(variantTerms("nim", { sticks: 20, misere: true })).toEqual(["sticks: 20", "misere: Yes"]);
  });

  it("say how the clock runs, how long a series is and whether it is rated", () => {
    expect(clockTerms({ kind: "none" })).toBe("No clock");
    expect(clockTerms({ kind: "game", seconds: 300, increment: 5 })).toBe("5 min + 5 s per move");
    expect(clockTerms({ kind: "game", seconds: 600, increment: 0 })).toBe("10 minutes");
    expect(clockTerms({ kind: "days", days: 3 })).toBe("3 days per move");
    expect(clockTerms({ kind: "bank", hours: 240, increment: 36 })).toBe("240 h + 36 h per move");
    expect(seriesTerms({ series: { to: 5, game: 1, wins: [0, 0] }, rated: true })).toEqual([
      "First to 5 wins",
      "Rated",
    ]);
    expect(seriesTerms({ series: { to: 1, game: 1, wins: [0, 0] }, rated: false })).toEqual([]);
  });
});

describe("names", () => {
  it("are as people chose them, and in the language of the reader for guests who chose none", async () => {
    await loadLanguage("fr");
    expect(personName("Guest 4821")).toBe("Invité 4821");
    expect(["Guest", "Guest 12345", "Hine"].map(personName)).toEqual(["Guest", "Guest 12345", "Hine"]);
    expect(seatLabel({ kind: "person", name: "Guest 1234", player: "x" })).toBe("Invité 1234");
    await loadLanguage("de");
    expect(personName("Guest 4821")).toBe("Gast 4821");
    await loadLanguage("en");
  });

  it("of several open seats are counted", () => {
    const hine = { kind: "person", name: "Hine", player: "h" } as const;
    const open = { kind: "open" } as const;
    const match = (...seats: MatchAnswer["seats"]): MatchAnswer => ({ seats }) as MatchAnswer;
    expect(playerList(match(hine, open))).toBe("Hine – Open place");
    expect(playerList(match(open, hine, open, open))).toBe("Hine – 3 places free");
  });

  it("of bots are their levels, say for whom they are where one chooses, and are counted", () => {
    const [hine, bot] = [{ kind: "person", name: "Hine", player: "h" } as const, { kind: "bot", name: "1" } as const];
    const random = { kind: "bot", name: "random" } as const;
    const seats = [hine, bot, random, bot] as MatchAnswer["seats"];
    expect(seats.map(seatLabel)).toEqual(["Hine", "Level 1", "Random", "Level 1"]);
    const choices = ["Level 1 · first game", "Level 8 · strongest", "Level 9", "Random", "theirs"];
    expect(["1", "8", "9", "random", "theirs"].map(botChoice)).toEqual(choices);
    expect(playerList({ seats } as MatchAnswer)).toBe("Hine – 2 × Level 1 – Random");
  });
});
