import { flushSync } from "svelte";
import { expect, it } from "vitest";
import { announce, announcement } from "./announce.svelte";

it("announces the same text twice, and an effect that announces runs once", () => {
  announce("Your turn");
  const first = announcement.text;
  announce("Your turn");
  expect(announcement.text).not.toBe(first);
  let runs = 0;
  const stop = $effect.root(() => {
    $effect(() => {
      runs += 1;
      announce("Your turn");
    });
  });
  flushSync();
  expect(runs).toBe(1);
  stop();
});
