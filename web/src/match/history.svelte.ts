// Stepping back in a match: the earlier positions as the server shows them to this seat.
import * as api from "../wire/api";
import type { Step, ReplayAnswer } from "../wire/types";
import type { Line, LiveMatch } from "./live.svelte";

export class MatchHistory {
  /** How many lines of the log are shown; null is the present. */
  at = $state<number | null>(null);
  /** Where to be once the server has answered; further steps count from there. */
  #target: number | null = null;
  #answer = $state.raw<ReplayAnswer>();
  #version = 0;

  constructor(
    readonly live: LiveMatch,
    /** Whether seats see different things, so that only the server knows what this one has seen. */
    readonly hidden: () => boolean,
  ) {}

  get step(): Step | undefined {
    return this.at === null ? undefined : this.#answer?.steps[this.at];
  }

  /** The newest line that is shown. */
  get last(): Line | null {
    if (this.at === null) return this.live.log.at(-1) ?? null;
    return this.at > 0 ? [this.step?.actor ?? -1, this.step?.line ?? ""] : null;
  }

  async go(to: number): Promise<void> {
    // Where there is nothing to go back to, the first position is the present.
    const wanted = Math.max(0, to);
    this.#target = wanted < this.live.log.length ? wanted : null;
    if (this.#target !== null && (!this.#answer || this.#version !== this.live.version)) {
      const version = this.live.version;
      try {
        this.#answer = await this.#request();
      } catch (error) {
        this.live.error = error as api.RequestError;
        this.#target = this.at;
        return;
      }
      this.#version = version;
    }
    this.at = this.#target;
  }

  /** Back to the present. */
  leave(): void {
    this.#target = this.at = null;
  }

  back = (): Promise<void> => this.go((this.#target ?? this.live.log.length) - 1);
  forward = (): Promise<void> => this.go((this.#target ?? this.live.log.length) + 1);

  #request(): Promise<ReplayAnswer> {
    const { id, seat, log, outcome, needsText } = this.live;
    const text = needsText || undefined;
    if (outcome || this.hidden()) return api.replay(id, seat, text);
    const { game, options } = this.live.match!;
    return api.steps({ game, options, actions: log.map(([, line]) => line), text });
  }
}
