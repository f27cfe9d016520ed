// Stepping back in a match: what the server shows of the past through our eyes.
import * as api from "../wire/api";
import type { Step, StudyAnswer } from "../wire/types";
import type { Line, LiveMatch } from "./live.svelte";

export class Past {
  /** How many lines of the log are shown; null is the present. */
  at = $state<number | null>(null);
  /** Where to be once the server has answered; further steps count from there. */
  #wish: number | null = null;
  #answer = $state.raw<StudyAnswer>();
  #version = 0;

  constructor(
    readonly live: LiveMatch,
    /** Whether the seats have secrets, so that only the server knows what ours has seen. */
    readonly secret: () => boolean,
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
    this.#wish = to < this.live.log.length ? Math.max(0, to) : null;
    if (this.#wish !== null && (!this.#answer || this.#version !== this.live.version)) {
      const version = this.live.version;
      try {
        this.#answer = await this.#ask();
      } catch (error) {
        this.live.refusal = error as api.Refused;
        this.#wish = this.at;
        return;
      }
      this.#version = version;
    }
    this.at = this.#wish;
  }

  /** Back to the present. */
  leave(): void {
    this.#wish = this.at = null;
  }

  back = (): Promise<void> => this.go((this.#wish ?? this.live.log.length) - 1);
  forward = (): Promise<void> => this.go((this.#wish ?? this.live.log.length) + 1);

  #ask(): Promise<StudyAnswer> {
    const { id, seat, log, outcome } = this.live;
    if (outcome || this.secret()) return api.replay(id, seat);
    const { game, options } = this.live.match!;
    return api.study({ game, options, actions: log.map(([, line]) => line) });
  }
}
