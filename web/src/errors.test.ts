import { beforeAll, expect, it } from "vitest";
import { faceOf } from "./boards/face";
import { whyRefused } from "./errors";
import { loadLanguage } from "./language/language.svelte";
import { RequestError } from "./wire/api";

beforeAll(() => loadLanguage("en"));

it.each([
  ["mu-torere", "not-flanked", { start: 2 }, "there is no enemy next to him"],
  ["mu-torere", "not-adjacent", { start: 1, end: 3 }, "kewai 3 is not next to him"],
  ["moeraki-kemu", "on-stone", { at: "c1" }, "already a stone on c1"],
  ["mauw", "other-colour", { card: "3", takes: ["5", "4"] }, "does not match the green 3. Play a 5"],
  ["mauw", "nowhere", { card: "3", takes: ["5", "4"], fits: ["3", "6"] }, "or on a 3 or 6"],
  ["mauw", "other-answer", { card: "5" }, "only answer with another 5"],
  ["mauw", "no-words-for-this", {}, "The server says so."],
])("words of %s for %s", async (game, reason, values, words) => {
  const refused = Promise.reject(
    new RequestError({ code: "illegal-action", message: "The server says so.", reason, values }),
  );
  expect(await whyRefused(game, (await faceOf(game))!, refused)).toContain(words);
});
