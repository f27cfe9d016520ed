// Several seats at this screen: without hidden information the view changes by itself to whoever is to act, with it only
// after the screen has been handed over.
import type { LiveMatch } from "./live.svelte";

export class Seating {
  #revealedTo = $state<number | null>(null);

  constructor(
    readonly live: LiveMatch,
    readonly hidden: () => boolean,
  ) {}

  /** Whether the match is played on, with several of its seats at this screen. */
  get shared(): boolean {
    const { match } = this.live;
    return (match?.mine.length ?? 0) > 1 && match?.status === "running";
  }

  /** The seat at this screen that is to act, if another one is viewed. */
  get next(): number | null {
    const { turn, seat, match } = this.live;
    return this.shared && turn !== null && turn !== seat && match?.mine.includes(turn) ? turn : null;
  }

  /** Who is to take the screen before anything is shown; null for nobody. */
  get handover(): number | null {
    if (!this.hidden()) return null;
    const { turn, seat } = this.live;
    return this.next ?? (this.shared && turn === seat && this.#revealedTo !== seat ? seat : null);
  }

  /** Whether what only one of the people at this screen may see is to be hidden. */
  get covered(): boolean {
    return this.hidden() && this.shared && (this.live.turn !== this.live.seat || this.handover !== null);
  }

  async takeOver(seat: number): Promise<void> {
    if (this.live.seat !== seat) await this.live.look(seat);
    this.#revealedTo = seat;
  }
}
