// The states of a variation tree as the server shows them: asked for by line, kept by path.
import { hasFace } from "../boards/face";
import { errorMessage } from "../errors";
import * as api from "../wire/api";
import type { Step } from "../wire/types";
import type { Path, VariationTree } from "./tree.svelte";

/** Who sees the states: a seat, or whoever is to act. */
export type Viewer = number | "turn";

export class Positions {
  /** Why the server refused the line, in a sentence. */
  refused = $state("");
  seats = $state(0);
  #steps = $state.raw(new Map<string, Step>());
  #shown = $state.raw<Step>();
  #asked = 0;
  readonly #origin = $derived.by(() => {
    const { game, options, position } = this.tree.chapter;
    return JSON.stringify([game, options, position, this.viewer()]);
  });

  constructor(
    readonly tree: VariationTree,
    readonly viewer: () => Viewer,
  ) {
    // What was kept belongs to where the chapter begins and to a viewer, not to its tree.
    $effect(() => {
      void this.#origin;
      this.#steps = new Map();
      this.#asked += 1;
    });
    $effect(() => {
      const step = this.at(this.tree.path);
      if (step) this.#shown = step;
      else void this.#ask(this.tree.line);
    });
  }

  /** The state that is shown; until the server has answered, the one before. */
  get step(): Step | undefined {
    return this.at(this.tree.path) ?? this.#shown;
  }

  /** Whether the state that is shown is that of the tree. */
  get current(): boolean {
    return this.at(this.tree.path) !== undefined;
  }

  at(path: Path): Step | undefined {
    return this.#steps.get(JSON.stringify(path));
  }

  async #ask(line: string[]): Promise<void> {
    const { game, options, position } = this.tree.chapter;
    const number = (this.#asked += 1);
    try {
      const answer = await api.steps({
        ...{ game, options, position, actions: line, seat: this.viewer(), positions: true },
        text: !hasFace(game) || undefined,
      });
      if (number !== this.#asked) return;
      const steps = new Map(this.#steps);
      answer.steps.forEach((step, depth) => steps.set(JSON.stringify(line.slice(0, depth)), step));
      this.#steps = steps;
      this.seats = answer.seats;
      this.refused = "";
    } catch (error) {
      if (number === this.#asked) this.refused = errorMessage(error);
    }
  }
}
