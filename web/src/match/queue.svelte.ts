// Actions of others are shown one after another, at a pace one can follow.
import { preferences, type Pace } from "../preferences.svelte";
import type { EventFrame } from "../wire/types";

/** Milliseconds between two actions of others. */
export const STEP_MS: Record<Pace, number> = { slow: 2400, normal: 1400, fast: 600, off: 0 };
/** The share of a step after which one's own action is answered. */
const ANSWER_SHARE = 0.5;

type Actor = "mine" | "other";

/** Holds back the frames of a match until the action before them has been seen. */
export class FrameQueue {
  /** How many frames are held back. */
  waiting = $state(0);
  #frames: EventFrame[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #before: Actor | undefined;
  #shownAt = 0;

  constructor(
    readonly show: (frame: EventFrame) => void,
    readonly isMine: (seat: number) => boolean,
  ) {
    document.addEventListener("visibilitychange", this.skip);
  }

  /** Shows a frame when its time has come; one that is not an action of others at once, with all before it. */
  push(frame: EventFrame, timed: boolean): void {
    this.#frames.push(frame);
    const actor = this.#actor(frame);
    if (timed || document.hidden || frame.re || actor === undefined || actor === "mine") this.skip();
    else if (this.#frames.length === 1) this.#wait();
    this.waiting = this.#frames.length;
  }

  /** Shows everything that is held back. */
  skip = (): void => {
    clearTimeout(this.#timer);
    for (let frame = this.#frames.shift(); frame; frame = this.#frames.shift()) this.#show(frame);
    this.waiting = 0;
  };

  /** Drops everything that is held back, because all of it is known otherwise. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#frames = [];
    this.waiting = 0;
  }

  close(): void {
    this.clear();
    document.removeEventListener("visibilitychange", this.skip);
  }

  #wait(): void {
    const next = this.#frames[0];
    if (!next) return;
    const due = this.#shownAt + pauseMs(this.#before, this.#actor(next)) - performance.now();
    if (due > 0) {
      this.#timer = setTimeout(() => this.#next(), due);
      return;
    }
    this.#next();
  }

  #next(): void {
    const frame = this.#frames.shift();
    this.waiting = this.#frames.length;
    if (frame) this.#show(frame);
    this.#wait();
  }

  #show(frame: EventFrame): void {
    this.#before = this.#actor(frame);
    this.#shownAt = performance.now();
    this.show(frame);
  }

  /** Who acts in a frame; undefined if nobody does. */
  #actor({ events }: EventFrame): Actor | undefined {
    const acted = events.find((event) => event.event === "acted");
    return acted && (this.isMine(acted.seat) ? "mine" : "other");
  }
}

function pauseMs(before: Actor | undefined, next: Actor | undefined): number {
  if (before === undefined || next === undefined) return 0;
  return STEP_MS[preferences.pace] * (before === "mine" ? ANSWER_SHARE : 1);
}
