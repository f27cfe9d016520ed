// The socket of one match: it reconnects by itself and sends again what was not answered.
import type { Frame, ClientMessage } from "./types";

export type Connection = "opening" | "open" | "lost" | "closed";
type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;
export type Command = WithoutId<ClientMessage>;
type Answer = (frame: Frame) => void;

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 5_000;
/** Close codes after which another attempt is of no use. */
const FINAL_CODES = new Set([4400, 4401, 4403, 4404]);

/** What a socket is opened with. */
export interface Query {
  /** The seat to view the match from. */
  seat?: number;
  /** The last version received: the server then sends only what followed. */
  after?: number;
  /** 1 if frames shall carry the text drawing of the view and the actions in words. */
  text?: 1;
}

export interface Listener {
  /** Called with each frame that is not merely the answer to a command. */
  frameReceived(frame: Frame): void;
  connectionChanged(connection: Connection, code?: number): void;
  /** Called whenever the socket is opened. */
  query(): Query;
}

export class MatchSocket {
  #socket: WebSocket | undefined;
  #unanswered = new Map<string, { text: string; answer: Answer }>();
  #retryMs = FIRST_RETRY_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  #established = false;
  #name = crypto.getRandomValues(new Uint32Array(2)).join("");
  #count = 0;

  constructor(
    readonly match: string,
    readonly listener: Listener,
  ) {
    this.#open();
    addEventListener("online", this.#retryNow);
    document.addEventListener("visibilitychange", this.#retryNow);
  }

  /** Sends a command and resolves with the one frame that answers it. */
  send(command: Command): Promise<Frame> {
    const id = `${this.#name}${(this.#count += 1)}`;
    const text = JSON.stringify({ ...command, id });
    return new Promise((answer) => {
      this.#unanswered.set(id, { text, answer });
      if (this.#established && this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(text);
    });
  }

  /** Opens the socket again with another query. */
  reopen(): void {
    const old = this.#socket;
    this.#open();
    old?.close();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    removeEventListener("online", this.#retryNow);
    document.removeEventListener("visibilitychange", this.#retryNow);
    this.#socket?.close();
    this.#unanswered.clear();
  }

  #open(): void {
    const address = new URL(`/api/matches/${this.match}/socket`, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    for (const [name, value] of Object.entries(this.listener.query())) {
      if (value !== undefined) address.searchParams.set(name, String(value));
    }
    const socket = new WebSocket(address);
    this.#socket = socket;
    this.#established = false;
    const ifCurrent =
      <E extends Event>(handle: (event: E) => void) =>
      (event: E) => {
        if (!this.#closed && socket === this.#socket) handle(event);
      };
    socket.onmessage = ifCurrent((event) => this.#messageReceived(JSON.parse(event.data as string) as Frame));
    socket.onclose = ifCurrent((event) => this.#connectionLost(event.code));
  }

  #messageReceived(frame: Frame): void {
    if (frame.type !== "done" && frame.type !== "pong" && frame.type !== "refused") this.listener.frameReceived(frame);
    if (!this.#established && (frame.type === "full" || frame.type === "resumed")) this.#connected();
    if ("re" in frame && frame.re) {
      const command = this.#unanswered.get(frame.re);
      this.#unanswered.delete(frame.re);
      command?.answer(frame);
    }
  }

  #connected(): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#established = true;
    this.#retryMs = FIRST_RETRY_MS;
    this.listener.connectionChanged("open");
    for (const { text } of this.#unanswered.values()) this.#socket.send(text);
  }

  #connectionLost(code: number): void {
    if (FINAL_CODES.has(code)) {
      this.listener.connectionChanged("closed", code);
      return;
    }
    this.listener.connectionChanged("lost");
    this.#timer = setTimeout(() => this.#open(), this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
  }

  /** The network or the page is back: connect at once. */
  #retryNow = (): void => {
    if (this.#closed || document.hidden || this.#socket?.readyState !== WebSocket.CLOSED) return;
    clearTimeout(this.#timer);
    this.#open();
  };
}
