// What a player keeps about a correspondence match: note, forced moves, and conditional moves, which are entered by
// playing them on the board from the present position on.
import { errorMessage } from "../errors";
import * as api from "../wire/api";
import type { PlanAnswer, PlanChange, Step } from "../wire/types";
import type { LiveMatch } from "./live.svelte";

export type Moves = string[];

export class Planner {
  note = $state("");
  forced = $state(false);
  lines = $state.raw<Moves[]>([]);
  /** The line that the board shows; null while it shows the match. */
  path = $state.raw<Moves | null>(null);
  refused = $state("");
  /** Whether a change has just been saved. */
  saved = $state(false);
  /** The positions from the present one on. */
  #steps = $state.raw<Step[]>([]);

  constructor(
    readonly live: LiveMatch,
    /** Whether cards are hidden, so that no moves can be planned. */
    readonly hidden: () => boolean,
  ) {}

  /** Whether something can be planned: in a running correspondence match with one seat. */
  get able(): boolean {
    const { match } = this.live;
    const clock = match?.clock.kind;
    return match?.status === "running" && match.mine.length === 1 && (clock === "days" || clock === "bank");
  }

  /** The position that the board shows instead of that of the match. */
  get step(): Step | undefined {
    return this.path === null ? undefined : this.#steps.at(-1);
  }

  /** The line on the board with who makes each move. */
  get moves(): Step[] {
    return this.path === null ? [] : this.#steps.slice(1);
  }

  /** Whether the line on the board has an answer of one's own to a move of the other. */
  get complete(): boolean {
    const mine = this.moves.map(({ actor }) => actor === this.live.seat);
    return mine.includes(false) && mine.lastIndexOf(true) > mine.indexOf(false);
  }

  /** Asks for what is left of the plan, as after each move; what is being entered began at another position. */
  async load(): Promise<void> {
    this.path = null;
    if (!this.able) return;
    await this.#attempt(async () => this.#apply(await api.plan(this.live.id)));
  }

  /** Shows a line on the board, which may be continued there. */
  async show(path: Moves): Promise<void> {
    await this.#attempt(async () => {
      const { log, match } = this.live;
      const done = log.map(([, line]) => line);
      const { steps } = await api.steps({ game: match!.game, options: match!.options, actions: [...done, ...path] });
      this.#steps = steps.slice(done.length);
      this.path = path;
    });
  }

  act = (action: string): void => void this.show([...(this.path ?? []), action]);
  back = (): void => void this.show((this.path ?? []).slice(0, -1));
  leave = (): void => {
    this.path = null;
  };

  /** Keeps the line on the board; it takes the place of lines with another answer to the same moves. */
  async keep(): Promise<void> {
    const path = this.path;
    if (!path) return;
    const mine = this.moves.map(({ actor }) => actor === this.live.seat);
    const others = this.lines.filter((line) => {
      const at = line.findIndex((action, ply) => action !== path[ply]);
      return at >= 0 && !(at < path.length && mine[at]);
    });
    if (await this.save({ lines: [...others, path], version: this.live.version })) this.path = null;
  }

  remove(line: Moves): Promise<boolean> {
    return this.save({ lines: this.lines.filter((each) => each !== line), version: this.live.version });
  }

  save(change: PlanChange): Promise<boolean> {
    return this.#attempt(async () => {
      this.#apply(await api.changePlan(this.live.id, change));
      this.saved = true;
    });
  }

  #apply({ note, forced, lines }: PlanAnswer): void {
    [this.note, this.forced, this.lines] = [note, forced, lines];
  }

  async #attempt(what: () => Promise<void>): Promise<boolean> {
    [this.refused, this.saved] = ["", false];
    try {
      await what();
      return true;
    } catch (error) {
      this.refused = errorMessage(error);
      return false;
    }
  }
}
