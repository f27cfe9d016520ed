// The one socket of the client: it connects again by itself and sends again what was not answered.
import type { ChallengeMet, ChallengesChanged, NoticesFrame } from "./types";

export type Connection = "opening" | "open" | "lost" | "closed";

/** The codes with which the server closes a socket for good: another attempt is of no use. */
export const CLOSED = { malformed: 4400, signedOut: 4401, notYours: 4403, unknown: 4404 } as const;
const FINAL_CODES = new Set<number>(Object.values(CLOSED));
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 5_000;

export interface Listener<Frame> {
  /** Path and query, asked for whenever the socket is opened; undefined if it cannot be, and shall be tried again later. */
  address(): string | Promise<string | undefined>;
  /** Whether a frame says that commands may be sent; without it they may be as soon as the socket is open. */
  ready?(frame: Frame): boolean;
  /** The id of the command that a frame answers for good. */
  answered(frame: Frame): string | undefined;
  frameReceived(frame: Frame): void;
  connectionChanged(connection: Connection, code?: number): void;
}

interface Unanswered<Frame> {
  text: string;
  answer: (frame: Frame) => void;
}

/** What concerns the whole page, whatever the socket is for. */
export type PageFrame = NoticesFrame | ChallengesChanged | ChallengeMet;

/** The sockets that the page has open, and who is told about them; any of them brings what concerns the whole page. */
export const pageSockets: {
  count: number;
  changed?: () => void;
  received?: (frame: PageFrame) => void;
  /** Told which match a challenge of the visitor became. */
  met?: (frame: ChallengeMet) => void;
} = { count: 0 };

/** A text that no other command has. */
export const newId = (): string => crypto.getRandomValues(new Uint32Array(3)).join("-");

const isOfPage = (frame: unknown): frame is PageFrame =>
  ["notices", "challenges", "met"].includes((frame as { type: string }).type);

export class LiveSocket<Frame, Command extends { id: string }> {
  #socket: WebSocket | undefined;
  #unanswered = new Map<string, Unanswered<Frame>>();
  #retryMs = FIRST_RETRY_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #attempt = 0;
  #closed = false;
  #ready = false;
  #counted = true;

  constructor(readonly listener: Listener<Frame>) {
    pageSockets.count += 1;
    pageSockets.changed?.();
    this.#open();
    addEventListener("online", this.#retryNow);
    document.addEventListener("visibilitychange", this.#retryNow);
  }

  /** Sends a command, now or once there is a connection, and resolves with the one frame that answers it. */
  send(command: Command): Promise<Frame> {
    const text = JSON.stringify(command);
    return new Promise((answer) => {
      this.#unanswered.set(command.id, { text, answer });
      if (this.#ready && this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(text);
    });
  }

  /** Waits no longer for the answer to a command. */
  forget(id: string): void {
    this.#unanswered.delete(id);
  }

  /** Opens the socket again, at another address. */
  reopen(): void {
    if (!this.#counted) [this.#counted, pageSockets.count] = [true, pageSockets.count + 1];
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
    this.#ended();
  }

  /** No longer a socket of the page, because it was closed here or by the server for good. */
  #ended(): void {
    if (!this.#counted) return;
    this.#counted = false;
    pageSockets.count -= 1;
    pageSockets.changed?.();
  }

  #open(): void {
    clearTimeout(this.#timer);
    const attempt = (this.#attempt += 1);
    [this.#timer, this.#socket, this.#ready] = [undefined, undefined, false];
    const address = this.listener.address();
    if (typeof address === "string") this.#connect(address);
    else
      void address.then((found) => {
        if (this.#closed || attempt !== this.#attempt) return;
        if (found === undefined) this.#connectionLost();
        else this.#connect(found);
      });
  }

  #connect(path: string): void {
    const address = new URL(path, location.href);
    if (pageSockets.received) address.searchParams.set("notices", "1");
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new WebSocket(address);
    this.#socket = socket;
    const ifCurrent =
      <E extends Event>(handle: (event: E) => void) =>
      (event: E) => {
        if (!this.#closed && socket === this.#socket) handle(event);
      };
    socket.onopen = ifCurrent(() => {
      if (!this.listener.ready) this.#connected();
    });
    socket.onmessage = ifCurrent((event) => {
      const frame = JSON.parse(event.data as string) as Frame | PageFrame;
      if (isOfPage(frame)) pageSockets.received?.(frame);
      else this.#messageReceived(frame);
    });
    socket.onclose = ifCurrent((event) => this.#connectionLost(event.code));
  }

  #messageReceived(frame: Frame): void {
    this.listener.frameReceived(frame);
    if (!this.#ready && this.listener.ready?.(frame)) this.#connected();
    const id = this.listener.answered(frame);
    if (id === undefined) return;
    const command = this.#unanswered.get(id);
    this.#unanswered.delete(id);
    command?.answer(frame);
  }

  #connected(): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#ready = true;
    this.#retryMs = FIRST_RETRY_MS;
    this.listener.connectionChanged("open");
    for (const { text } of this.#unanswered.values()) this.#socket.send(text);
  }

  #connectionLost(code?: number): void {
    this.#ready = false;
    if (code !== undefined && FINAL_CODES.has(code)) {
      this.#ended();
      this.listener.connectionChanged("closed", code);
      return;
    }
    this.listener.connectionChanged("lost");
    this.#timer = setTimeout(() => this.#open(), this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
  }

  /** The network or the page is back: connect at once. */
  #retryNow = (): void => {
    if (!this.#closed && !document.hidden && this.#timer !== undefined) this.#open();
  };
}
