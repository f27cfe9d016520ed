// A live match as the server sends it to this browser. Frames are applied here and nowhere else.
import { hasFace } from "../boards/face";
import * as api from "../wire/api";
import { CLOSED, LiveSocket, newId, type Connection } from "../wire/socket";
import type {
  ClientMessage,
  ClockFrame,
  Declined,
  EventFrame,
  Frame,
  FullFrame,
  Greeting,
  MatchAnswer,
  OfferFrame,
  Presence,
  OutcomeAnswer,
} from "../wire/types";
import { FrameQueue } from "./queue.svelte";

export const SPECTATOR = -2;
/** What is sent on the socket, without its id. */
export type Command = WithoutId<ClientMessage>;
type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;
export type Line = [actor: number, text: string];
export type What = OfferFrame["what"];
export type MatchEvent = EventFrame["events"][number];

export class LiveMatch {
  match = $state.raw<MatchAnswer>();
  seat = $state(SPECTATOR);
  version = $state(0);
  view = $state.raw<unknown>();
  turn = $state<number | null>(null);
  actions = $state.raw<string[]>([]);
  /** The view drawn in text and the actions in words, for games without a board of their own. */
  text = $state("");
  words = $state.raw<string[]>([]);
  log = $state.raw<Line[]>([]);
  /** The lines of the newest frame; in the beginning the newest action and the draws after it. */
  recent = $state.raw<Line[]>([]);
  clock = $state.raw<ClockFrame>();
  offers = $state.raw<OfferFrame[]>([]);
  outcome = $state.raw<OutcomeAnswer>();
  presence = $state.raw<Presence>();
  connection = $state<Connection>("opening");
  /** The code with which the server has closed the socket for good. */
  closeCode = $state<number>();
  /** The action that is drawn but not confirmed yet. */
  pending = $state<string | null>(null);
  /** Whether to go on to the next match as soon as there is one. */
  following = $state(false);
  error = $state.raw<api.RequestError>();
  /** The server's clock minus the browser's. */
  skewMs = $state(0);
  /** The newest events, for sounds and announcements. */
  events = $state.raw<MatchEvent[]>([]);
  /** What a player at the table has just said. */
  greeting = $state.raw<Greeting>();
  /** Who has just refused what was offered here. */
  declined = $state.raw<Declined>();

  /** Event frames that wait for their turn to be shown. */
  readonly queue = new FrameQueue(
    (frame) => this.#applyEvent(frame),
    (seat) => this.match?.mine.includes(seat) ?? false,
  );

  #socket: LiveSocket<Frame, ClientMessage>;
  #needsText = false;
  /** Whether a full frame was asked for and has not come yet. */
  #fullRequested = false;

  constructor(readonly id: string) {
    this.#socket = new LiveSocket({
      address: () => {
        const seat = this.seat >= 0 ? this.seat : undefined;
        const wanted = { seat, after: this.version || undefined, text: this.#needsText ? 1 : undefined };
        return `/api/matches/${id}/socket?${api.query(wanted)}`;
      },
      ready: ({ type }) => type === "full" || type === "resumed",
      answered: (frame) => ("re" in frame ? frame.re : undefined),
      frameReceived: (frame) => this.#apply(frame),
      connectionChanged: (connection, code) => this.#connectionChanged(connection, code),
    });
  }

  close(): void {
    this.queue.close();
    this.#socket.close();
  }

  /** Whether the seat viewed now is to act. */
  get myTurn(): boolean {
    return this.turn !== null && this.turn === this.seat && this.outcome === undefined;
  }

  get needsText(): boolean {
    return this.#needsText;
  }

  async act(action: string): Promise<boolean> {
    if (this.pending !== null) return false;
    this.pending = action;
    const done = await this.send({ do: "act", version: this.version, action });
    this.pending = null;
    return done;
  }

  /** Sends a command; resolves with false if the server refused it. */
  async send(command: Command): Promise<boolean> {
    this.error = undefined;
    try {
      await this.#request(command);
      return true;
    } catch (error) {
      this.error = error as api.RequestError;
      return false;
    }
  }

  /** Tries an action that is not among those offered, which changes nothing; throws why the server refuses it. */
  async attempt(action: string): Promise<void> {
    if (!this.actions.includes(action)) await this.#request({ do: "act", version: this.version, action });
  }

  async #request(command: Command): Promise<void> {
    const frame = await this.#socket.send({ ...command, id: newId() } as ClientMessage);
    if (frame.type === "refused") throw new api.RequestError(frame);
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
  /** Views the match from another of the visitor's seats. */
  look = (seat: number): Promise<boolean> => this.send({ do: "look", seat });

  #connectionChanged(connection: Connection, code?: number): void {
    if (code === CLOSED.notYours && this.seat !== SPECTATOR) {
      // The seat was lost while the connection was: come back as whatever one is now.
      this.seat = SPECTATOR;
      this.version = 0;
      this.#socket.reopen();
      return;
    }
    this.connection = connection;
    this.closeCode = code;
  }

  #apply(frame: Frame): void {
    if ("now" in frame) this.skewMs = frame.now - Date.now();
    switch (frame.type) {
      case "full":
        this.queue.clear();
        this.#applyFull(frame);
        break;
      case "event":
        // Time on a clock runs from the moment an action is known, so it is shown at that moment.
        this.queue.push(frame, this.match?.clock.kind === "game");
        break;
      case "presence":
        this.presence = frame;
        break;
      case "greeting":
        this.greeting = frame;
        break;
      case "resumed":
        this.version = frame.version;
        this.clock = frame.clock;
    }
  }

  #applyFull(frame: FullFrame): void {
    this.#fullRequested = false;
    if (!this.#needsText && !hasFace(frame.match.game)) {
      // Only now is it known that the match is shown by its text drawing.
      this.#needsText = true;
      this.#socket.reopen();
      return;
    }
    this.seat = frame.seat;
    this.log = frame.log ?? [];
    this.recent = this.log.slice(
      Math.max(
        0,
        this.log.findLastIndex(([actor]) => actor >= 0),
      ),
    );
    this.#applyState(frame);
  }

  #applyEvent(frame: EventFrame): void {
    if (frame.version > this.version + 1 && !this.#fullRequested) {
      this.#fullRequested = true;
      void this.send({ do: "full" });
    }
    if (frame.version !== this.version + 1) return;
    const log = [...this.log];
    const recent: Line[] = [];
    for (const event of frame.events) {
      if (event.event === "acted") recent.push([event.seat, event.line]);
      if (event.event === "undone") log.splice(log.length - event.plies);
    }
    this.log = [...log, ...recent];
    this.recent = recent;
    this.declined = frame.events.find((event): event is Declined => event.event === "declined" && this.#refuses(event));
    this.#applyState(frame);
    this.events = frame.events;
  }

  /** Whether another player's word ends an offer of one's own; who withdraws an offer declines it too. */
  #refuses({ seat, what }: Declined): boolean {
    const mine = this.match?.mine ?? [];
    return !mine.includes(seat) && this.offers.some((offer) => offer.what === what && mine.includes(offer.seat));
  }

  #applyState(frame: FullFrame | EventFrame): void {
    this.match = frame.match ?? this.match;
    this.version = frame.version;
    this.view = frame.view;
    this.turn = frame.turn;
    this.actions = frame.actions ?? [];
    this.text = frame.text ?? "";
    this.words = frame.words ?? [];
    this.clock = frame.clock;
    this.offers = frame.offers ?? [];
    this.outcome = frame.outcome;
    if (frame.type === "event" && frame.re) this.pending = null;
  }
}
