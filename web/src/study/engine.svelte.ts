// The engine of the analysis board: one question at a time.
import { LiveSocket, newId } from "../wire/socket";
import type { AnalysisAnswer, AnalysisFrame, AnalysisMessage, RefutationFrame, Refused } from "../wire/types";
import type { Path } from "./chapter";

/** What is to be looked into. */
export interface Question {
  game: string;
  options: Record<string, unknown>;
  position: Record<string, unknown> | null;
  actions: Path;
}

/** Refusals that do not depend on the question: the same may be answered a little later. */
const PASSING_CODES = new Set(["study-failed", "too-many"]);
const ASK_AGAIN_MS = 3_000;

export class Engine {
  /** The newest frame of the last question. */
  found = $state.raw<AnalysisFrame>();
  /** Nothing more will be found. */
  finished = $state(false);
  refused = $state("");
  /** By answer, how it is refuted. */
  refutations = $state.raw<Record<string, RefutationFrame>>({});
  /** Opened with the first question. */
  #socket: LiveSocket<AnalysisAnswer, AnalysisMessage> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The question that waits for its answer, null if none does. */
  #message: AnalysisMessage | null = null;

  analyse(question: Question, lines: number): void {
    this.found = undefined;
    this.#ask({ do: "analyse", id: newId(), ...question, actions: [...question.actions], lines });
  }

  /** Asks for the reply to every answer of a side that is lost. */
  refute(question: Question): void {
    this.refutations = {};
    this.#ask({ do: "refute", id: newId(), ...question, actions: [...question.actions] });
  }

  stop(): void {
    const asked = this.#message !== null;
    this.#drop();
    if (asked) {
      // Nothing answers it, and it must not stop a later question.
      const id = newId();
      this.#send({ do: "stop", id });
      this.#socket?.forget(id);
    }
    this.found = undefined;
    this.refused = "";
  }

  close(): void {
    this.#drop();
    this.#socket?.close();
    this.#socket = undefined;
  }

  /** Waits no longer for the last question. */
  #drop(): void {
    clearTimeout(this.#timer);
    if (this.#message) this.#socket?.forget(this.#message.id);
    this.#message = null;
  }

  #ask(message: AnalysisMessage): void {
    this.#drop();
    [this.finished, this.refused, this.#message] = [false, "", message];
    this.#send(message);
  }

  #send(message: AnalysisMessage): void {
    this.#socket ??= new LiveSocket({
      address: () => "/api/analysis/socket",
      answered: (frame) => (frame.type === "finished" || frame.type === "refused" ? frame.re : undefined),
      frameReceived: (frame) => this.#received(frame),
      connectionChanged: () => undefined,
    });
    void this.#socket.send(message);
  }

  #received(frame: AnalysisAnswer): void {
    if (frame.type === "refused") {
      this.#refusalReceived(frame);
      return;
    }
    if (frame.re !== this.#message?.id) return;
    if (frame.type === "analysis") {
      // What needs no search comes with the first frame only.
      const { ownership, prediction, odds } = { ...this.found, ...frame };
      this.found = { ...frame, ownership, prediction, odds };
    } else if (frame.type === "refutation") this.refutations = { ...this.refutations, [frame.answer]: frame };
    else [this.finished, this.#message] = [true, null];
  }

  #refusalReceived({ re, code, message }: Refused): void {
    const asked = this.#message;
    if (re && re !== asked?.id) return;
    [this.refused, this.#message] = [message, null];
    if (asked && PASSING_CODES.has(code)) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#ask(asked), ASK_AGAIN_MS);
    }
  }
}
