// The engine of the analysis board: one question at a time over a socket that connects again by itself.
import type { AnalysisAnswer, AnalysisFrame, AnalysisMessage, RefutationFrame, Refused } from "../wire/types";
import type { Path } from "./chapter";

/** What is to be looked into. */
export interface Question {
  game: string;
  options: Record<string, unknown>;
  position: Record<string, unknown> | null;
  actions: Path;
}

const RETRY_MS = 1_000;
/** Refusals that do not depend on the question: the same may be answered a little later. */
const PASSING_CODES = new Set(["study-failed", "too-many"]);
const ASK_AGAIN_MS = 3_000;
/** Close codes after which another attempt is of no use. */
const FINAL_CODES = new Set([4400, 4401, 4403]);

export class Engine {
  /** The newest frame of the last question. */
  found = $state.raw<AnalysisFrame>();
  /** Nothing more will be found. */
  finished = $state(false);
  refused = $state("");
  /** By answer, how it is refuted. */
  refutations = $state.raw<Record<string, RefutationFrame>>({});
  #socket: WebSocket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The question that waits for its answer, null if none does. */
  #message: AnalysisMessage | null = null;
  #number = 0;

  analyse(question: Question, lines: number): void {
    this.found = undefined;
    this.#send({ do: "analyse", id: this.#id(), ...question, actions: [...question.actions], lines });
  }

  /** Asks for the reply to every answer of a side that is lost. */
  refute(question: Question): void {
    this.refutations = {};
    this.#send({ do: "refute", id: this.#id(), ...question, actions: [...question.actions] });
  }

  stop(): void {
    if (this.#message && this.#socket?.readyState === WebSocket.OPEN)
      this.#socket.send(JSON.stringify({ do: "stop", id: this.#id() }));
    clearTimeout(this.#timer);
    this.#message = null;
    this.found = undefined;
    this.refused = "";
  }

  close(): void {
    this.#message = null;
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  #id(): string {
    return String((this.#number += 1));
  }

  #send(message: AnalysisMessage): void {
    clearTimeout(this.#timer);
    [this.finished, this.refused] = [false, ""];
    this.#message = message;
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
    else if (this.#socket?.readyState !== WebSocket.CONNECTING) this.#open();
  }

  #open(): void {
    clearTimeout(this.#timer);
    const address = new URL("/api/analysis/socket", location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onopen = () => {
      if (this.#message) socket.send(JSON.stringify(this.#message));
    };
    socket.onmessage = (event) => this.#received(JSON.parse(event.data as string) as AnalysisAnswer);
    socket.onclose = (event) => {
      if (socket !== this.#socket || FINAL_CODES.has(event.code)) return;
      this.#timer = setTimeout(() => this.#message && this.#open(), RETRY_MS);
    };
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
      this.#timer = setTimeout(() => this.#send(asked), ASK_AGAIN_MS);
    }
  }
}
