// The socket of one match: opens again by itself and sends again what was not answered.
import type { Frame, Wish } from "./types";

export type Link = "opening" | "open" | "lost" | "closed";
type Without<T> = T extends unknown ? Omit<T, "id"> : never;
export type Command = Without<Wish>;
type Answer = (frame: Frame) => void;

const FIRST_WAIT = 250;
const LONGEST_WAIT = 5_000;
/** Closing codes after which trying again is of no use. */
const FINAL = new Set([4400, 4403, 4404]);

export interface Listener {
  /** A frame that is no mere answer. */
  frame(frame: Frame): void;
  link(link: Link, code?: number): void;
  /** The version to come back with, 0 if nothing has been seen yet, and the seat looked through. */
  seen(): { version: number; seat: number | undefined };
}

export class MatchSocket {
  #socket: WebSocket | undefined;
  #waiting = new Map<string, { text: string; answer: Answer }>();
  #wait = FIRST_WAIT;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  #name = crypto.getRandomValues(new Uint32Array(2)).join("");
  #count = 0;

  constructor(
    readonly match: string,
    readonly listener: Listener,
  ) {
    this.#open();
    addEventListener("online", this.#now);
    document.addEventListener("visibilitychange", this.#now);
  }

  /** Does a command and gives the one frame that answers it. */
  send(command: Command): Promise<Frame> {
    const id = `${this.#name}${(this.#count += 1)}`;
    const text = JSON.stringify({ ...command, id });
    return new Promise((answer) => {
      this.#waiting.set(id, { text, answer });
      if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(text);
    });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    removeEventListener("online", this.#now);
    document.removeEventListener("visibilitychange", this.#now);
    this.#socket?.close();
    this.#waiting.clear();
  }

  #open(): void {
    const { version, seat } = this.listener.seen();
    const address = new URL(`/api/matches/${this.match}/socket`, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    if (seat !== undefined) address.searchParams.set("seat", String(seat));
    if (version) address.searchParams.set("after", String(version));
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onmessage = (event) => this.#receive(JSON.parse(event.data as string) as Frame);
    socket.onclose = (event) => {
      if (this.#closed || socket !== this.#socket) return;
      this.#lost(event.code);
    };
  }

  #receive(frame: Frame): void {
    if (frame.type === "full" || frame.type === "resumed") {
      const first = this.#wait !== 0;
      this.#wait = 0;
      this.listener.frame(frame);
      if (first) {
        this.listener.link("open");
        for (const { text } of this.#waiting.values()) this.#socket?.send(text);
      }
    } else if (frame.type !== "done" && frame.type !== "pong" && frame.type !== "refused") {
      this.listener.frame(frame);
    }
    if ("re" in frame && frame.re) {
      const waiting = this.#waiting.get(frame.re);
      this.#waiting.delete(frame.re);
      waiting?.answer(frame);
    }
  }

  #lost(code: number): void {
    if (FINAL.has(code)) {
      this.listener.link("closed", code);
      return;
    }
    this.listener.link("lost");
    this.#wait ||= FIRST_WAIT;
    this.#timer = setTimeout(() => this.#open(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
  }

  /** The network or the page is back: do not wait any longer. */
  #now = (): void => {
    if (this.#closed || document.hidden || this.#socket?.readyState !== WebSocket.CLOSED) return;
    clearTimeout(this.#timer);
    this.#open();
  };
}
