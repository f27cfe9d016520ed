import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { setPreferences } from "../preferences.svelte";
import type { EventFrame } from "../wire/types";
import { FrameQueue, STEP_MS } from "./queue.svelte";

const frame = (version: number, seat: number, changes: Partial<EventFrame> = {}): EventFrame => ({
  type: "event",
  version,
  now: 0,
  events: [{ event: "acted", seat, line: "" }],
  view: null,
  turn: null,
  ...changes,
});

describe("frames of others", () => {
  let shown: number[];
  let queue: FrameQueue;

  beforeEach(() => {
    vi.useFakeTimers();
    setPreferences({ pace: "normal" });
    shown = [];
    queue = new FrameQueue(
      ({ version }) => shown.push(version),
      (seat) => seat === 0,
    );
  });
  afterEach(() => {
    queue.close();
    vi.useRealTimers();
  });

  it("are shown one after another", () => {
    for (const [version, seat] of [1, 2, 3].entries()) queue.push(frame(version, seat), false);
    expect(shown).toEqual([0]);
    expect(queue.waiting).toBe(2);
    vi.advanceTimersByTime(STEP_MS.normal);
    expect(shown).toEqual([0, 1]);
    vi.advanceTimersByTime(STEP_MS.normal);
    expect(shown).toEqual([0, 1, 2]);
    expect(queue.waiting).toBe(0);
  });

  it("are not held back if there was time enough since the last one", () => {
    queue.push(frame(0, 1), false);
    vi.advanceTimersByTime(STEP_MS.normal);
    queue.push(frame(1, 2), false);
    expect(shown).toEqual([0, 1]);
  });

  it("come sooner if they answer one's own action", () => {
    queue.push(frame(0, 0), false);
    queue.push(frame(1, 1), false);
    expect(shown).toEqual([0]);
    vi.advanceTimersByTime(STEP_MS.normal / 2);
    expect(shown).toEqual([0, 1]);
  });

  it("are shown at once when skipped, in order, and when the pace is off", () => {
    for (const version of [0, 1, 2]) queue.push(frame(version, 1), false);
    queue.skip();
    expect(shown).toEqual([0, 1, 2]);
    expect(queue.waiting).toBe(0);
    setPreferences({ pace: "off" });
    queue.push(frame(3, 2), false);
    expect(shown).toEqual([0, 1, 2, 3]);
  });

  it("never wait on a clock, nor behind one's own action or an event that is no action", () => {
    for (const [at, urgent] of [frame(9, 0), frame(9, 1, { events: [{ event: "resigned", seat: 1 }] })].entries()) {
      shown.length = 0;
      queue.push(frame(at, 1), false);
      queue.push(frame(8, 2), false);
      queue.push(urgent, false);
      expect(shown.at(-1)).toBe(9);
    }
    queue.push(frame(10, 1), true);
    queue.push(frame(11, 2), true);
    expect(shown.slice(-2)).toEqual([10, 11]);
  });

  it("are dropped when everything is sent anew", () => {
    for (const version of [0, 1, 2]) queue.push(frame(version, 1), false);
    queue.clear();
    vi.runAllTimers();
    expect(shown).toEqual([0]);
    expect(queue.waiting).toBe(0);
  });
});
