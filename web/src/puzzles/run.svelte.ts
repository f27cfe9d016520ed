// A puzzle being solved: what was played, what the server or the kept solution says to it, and what may be done now.
import { errorMessage } from "../errors";
import * as api from "../wire/api";
import type { PuzzleProgress, PuzzleQuestion, PuzzleSolution, Step } from "../wire/types";
import { drop, isOffline, judge, keptPuzzles, queueAnswer, refill, sendAnswers } from "./offline";

export type Verdict = "" | "right" | "wrong" | "solved" | "shown";
const STARTED = "kemu.puzzles.started";

export class PuzzleRun {
  question = $state.raw<PuzzleQuestion>();
  steps = $state.raw<Step[]>([]);
  at = $state(0);
  verdict = $state<Verdict>("");
  solution = $state.raw<PuzzleSolution | null>(null);
  progress = $state.raw<PuzzleProgress>();
  offline = $state(false);
  refused = $state("");
  busy = $state(false);
  /** Whether puzzles are kept for times without a connection. */
  kept = $state(false);
  #mine: string[] = [];
  /** The steps up to the solver's next action; a wrong one is shown behind them. */
  #sure: Step[] = [];

  constructor(
    readonly game: string,
    /** The options that the visitor knows, as JSON. */
    readonly met: string,
  ) {}

  get step(): Step | undefined {
    return this.steps[this.at];
  }

  /** Whether the solver may act now. */
  get open(): boolean {
    return !this.busy && ["", "right"].includes(this.verdict) && this.at === this.steps.length - 1;
  }

  /** Loads a puzzle: by its id, or the `next` or `daily` one; without a connection one of those kept. */
  async load(id: string, theme?: string): Promise<PuzzleQuestion | undefined> {
    this.refused = "";
    try {
      await sendAnswers();
      const [question, progress] = await Promise.all([
        api.puzzle(this.game, id, theme, id === "next" ? this.met : undefined),
        api.puzzleProgress(this.game),
      ]);
      this.offline = false;
      this.progress = progress;
      this.#begin(question);
      await this.#resume();
      void refill(this.game).then(
        () => (this.kept = true),
        () => undefined,
      );
    } catch (error) {
      const kept = keptPuzzles(this.game).map((each) => each.question);
      const found = kept.find((each) => each.id === id) ?? kept[0];
      this.offline = isOffline(error);
      if (this.offline && found) this.#begin(found);
      else this.refused = errorMessage(error);
    }
    return this.question;
  }

  async act(action: string): Promise<void> {
    if (!this.question || !this.open) return;
    const actions = [...this.#mine, action];
    this.busy = true;
    try {
      const reply = await api.answerPuzzle(this.game, this.question.id, actions);
      this.progress = reply.progress;
      this.solution = reply.solution ?? null;
      this.#answered(actions, reply.right, reply.done, reply.steps);
    } catch (error) {
      if (!isOffline(error) || !this.#judge(actions)) this.refused = errorMessage(error);
    } finally {
      this.busy = false;
    }
  }

  /** Takes a wrong action back. */
  retry(): void {
    this.steps = this.#sure;
    this.at = this.steps.length - 1;
    this.verdict = this.#mine.length ? "right" : "";
  }

  async giveUp(): Promise<void> {
    if (!this.question) return;
    const { id } = this.question;
    try {
      this.solution = await api.puzzleSolution(this.game, id);
      this.progress = await api.puzzleProgress(this.game);
    } catch (error) {
      const kept = keptPuzzles(this.game).find((each) => each.question.id === id);
      if (!isOffline(error) || !kept) {
        this.refused = errorMessage(error);
        return;
      }
      this.solution = kept.solution;
      if (this.verdict !== "wrong") queueAnswer({ game: this.game, id, actions: [] });
      drop(this.game, id);
    }
    this.verdict = "shown";
    this.show(this.solution.steps, 0);
  }

  /** Shows other steps than those that were played. */
  show(steps: Step[], at = steps.length - 1): void {
    this.steps = steps;
    this.at = at;
  }

  #begin(question: PuzzleQuestion): void {
    this.question = question;
    this.steps = this.#sure = [question.step];
    this.at = 0;
    this.#mine = [];
    this.verdict = "";
    this.solution = null;
  }

  /** Plays what was right before the page was loaded again. */
  async #resume(): Promise<void> {
    const started = JSON.parse(sessionStorage.getItem(STARTED) ?? "null") as { id: string; actions: string[] } | null;
    if (started?.id !== this.question?.id) return;
    for (const action of started?.actions ?? []) await this.act(action);
  }

  #answered(actions: string[], right: boolean, done: boolean, steps: Step[]): void {
    this.show([...this.#sure, ...steps]);
    if (right) {
      this.#mine = actions;
      this.#sure = this.steps;
    }
    this.verdict = right ? (done ? "solved" : "right") : "wrong";
    if (right && !done) sessionStorage.setItem(STARTED, JSON.stringify({ id: this.question?.id, actions }));
    else sessionStorage.removeItem(STARTED);
  }

  /** Judges an answer without the server; whether that was possible. */
  #judge(actions: string[]): boolean {
    const { id, seat } = this.question!;
    const kept = keptPuzzles(this.game).find((each) => each.question.id === id);
    if (!kept) return false;
    this.offline = true;
    const judged = judge(kept.solution, seat, actions);
    // The first answer counts, and the server decides which that was.
    if (judged.done) queueAnswer({ game: this.game, id, actions });
    if (judged.right) {
      this.#answered(actions, true, judged.done, kept.solution.steps.slice(this.#sure.length, judged.at + 1));
      if (judged.done) {
        this.solution = kept.solution;
        drop(this.game, id);
      }
    } else this.#answered(actions, false, true, []);
    return true;
  }
}
