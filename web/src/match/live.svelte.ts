// A match as this browser sees it now; it only believes what the server says.
import * as api from "../wire/api";
import { MatchSocket, type Command, type Link } from "../wire/socket";
import type {
  ClockFrame,
  EventFrame,
  Frame,
  FullFrame,
  MatchAnswer,
  OfferFrame,
  Presence,
  Result,
  Told,
} from "../wire/types";

export const SPECTATOR = -2;
export type Line = [actor: number, text: string];
export type What = OfferFrame["what"];

/** The events after which the seats, the status or the next match have changed. */
const TABLE_EVENTS = new Set(["joined", "left", "started", "replaced", "rematched", "aborted"]);

export class LiveMatch {
  match = $state.raw<MatchAnswer>();
  seat = $state(SPECTATOR);
  version = $state(0);
  view = $state.raw<unknown>();
  turn = $state<number | null>(null);
  actions = $state.raw<string[]>([]);
  log = $state.raw<Line[]>([]);
  clock = $state.raw<ClockFrame>();
  offers = $state.raw<OfferFrame[]>([]);
  outcome = $state.raw<Result>();
  presence = $state.raw<Presence>();
  link = $state<Link>("opening");
  closed = $state<number>();
  /** An action of ours that is drawn but not confirmed yet. */
  pending = $state<string | null>(null);
  /** Whether we want to go on to the next match as soon as there is one. */
  following = $state(false);
  refusal = $state.raw<api.Refused>();
  /** The server's time minus ours. */
  skew = $state(0);
  /** The last thing that happened, for sounds and the live region. */
  news = $state.raw<{ version: number; events: Told[] }>();

  #socket: MatchSocket;

  constructor(readonly id: string) {
    this.#socket = new MatchSocket(id, {
      frame: (frame) => this.#take(frame),
      link: (link, code) => {
        this.link = link;
        this.closed = code;
      },
      seen: () => ({ version: this.version, seat: this.match ? this.seat : undefined }),
    });
  }

  close(): void {
    this.#socket.close();
  }

  /** Whether one of our own seats, looked through now, is to act. */
  get mine(): boolean {
    return this.turn !== null && this.turn === this.seat && this.outcome === undefined;
  }

  async act(action: string): Promise<boolean> {
    if (this.pending !== null) return false;
    this.pending = action;
    const done = await this.send({ do: "act", version: this.version, action });
    this.pending = null;
    return done;
  }

  /** Sends a command; a refusal is shown and answered with false. */
  async send(command: Command): Promise<boolean> {
    this.refusal = undefined;
    const frame = await this.#socket.send(command);
    if (frame.type !== "refused") return true;
    this.refusal = new api.Refused(frame.code, frame.message);
    return false;
  }

  offer = (what: What): Promise<boolean> => {
    this.following ||= what === "rematch";
    return this.send({ do: "offer", what });
  };
  accept = (what: What): Promise<boolean> => {
    this.following ||= what === "rematch";
    return this.send({ do: "accept", what });
  };
  decline = (what: What): Promise<boolean> => this.send({ do: "decline", what });
  look = (seat: number): Promise<boolean> => this.send({ do: "look", seat });

  async ping(): Promise<number> {
    const start = performance.now();
    await this.#socket.send({ do: "ping", t: Math.round(start) });
    return performance.now() - start;
  }

  #take(frame: Frame): void {
    if ("now" in frame) this.skew = frame.now - Date.now();
    if (frame.type === "full") this.#full(frame);
    else if (frame.type === "event") this.#event(frame);
    else if (frame.type === "presence") this.presence = frame;
    else if (frame.type === "resumed") {
      this.version = frame.version;
      this.clock = frame.clock;
    }
  }

  #full(frame: FullFrame): void {
    this.match = frame.match;
    this.seat = frame.seat;
    this.log = frame.log ?? [];
    this.#stand(frame);
  }

  #event(frame: EventFrame): void {
    if (frame.version !== this.version + 1) {
      if (frame.version > this.version) void this.send({ do: "full" });
      return;
    }
    const log = [...this.log];
    for (const told of frame.events) {
      if (told.event === "acted") log.push([told.seat ?? -1, told.line ?? ""]);
      if (told.event === "undone") log.splice(log.length - (told.plies ?? 0));
    }
    this.log = log;
    this.#stand(frame);
    if (this.match) {
      const status = this.outcome ? (this.outcome.reason === "aborted" ? "aborted" : "finished") : this.match.status;
      const next = frame.events.find((told) => told.event === "rematched")?.match ?? this.match.next;
      this.match = { ...this.match, turn: frame.turn, outcome: this.outcome ?? null, status, next };
    }
    this.news = { version: frame.version, events: frame.events };
    if (frame.events.some((told) => TABLE_EVENTS.has(told.event))) void this.send({ do: "full" });
  }

  #stand(frame: FullFrame | EventFrame): void {
    this.version = frame.version;
    this.view = frame.view;
    this.turn = frame.turn;
    this.actions = frame.actions ?? [];
    this.clock = frame.clock;
    this.offers = frame.offers ?? [];
    this.outcome = frame.outcome;
    if (frame.type === "event" && frame.re) this.pending = null;
  }
}
