// Written by web/scripts/wire.py from src/kemu/server/{answers,wire}.py; do not edit.

/** Call the match off before its first action. */
export interface Abort {
  do: "abort";
  id: string;
}

/** Agree to an offer. */
export interface Accept {
  do: "accept";
  id: string;
  what: "draw" | "rematch" | "takeback";
}

/** Take an action; `version` is the one the seat was looking at. */
export interface Act {
  do: "act";
  id: string;
  version: number;
  action: string;
}

/** A seat with a bot. */
export interface BotSeat {
  kind: "bot";
  name: string;
  player: string;
}

/** A bot of this name. */
export interface BotWish {
  kind: "bot";
  bot: string;
}

/** Win, or have a bot play on, because somebody has left. */
export interface Claim {
  do: "claim";
  id: string;
  what: "bot" | "win";
}

/** The time each seat had left at a moment, and whose runs since then. */
export interface ClockFrame {
  left: number[];
  at: number;
  running?: number | null;
}

/** Name and password of an account. */
export interface Credentials {
  name: string;
  password: string;
}

/** So many days for each turn. */
export interface DayClock {
  kind: "days";
  days: number;
}

/** Refuse an offer, or withdraw it. */
export interface Decline {
  do: "decline";
  id: string;
  what: "draw" | "rematch" | "takeback";
}

/** The command had been done before. */
export interface Done {
  type: "done";
  re: string;
  version: number;
}

/** The next version of a match: what happened and how things stand now. */
export interface EventFrame {
  type: "event";
  version: number;
  now: number;
  events: Told[];
  view: unknown;
  turn: number | null;
  actions?: string[];
  clock?: ClockFrame;
  offers?: OfferFrame[];
  outcome?: Result;
  re?: string;
}

/** Let this socket go on with another match, such as the rematch. */
export interface Follow {
  do: "follow";
  id: string;
  match: string;
}

/** Whoever comes. */
export interface FreeSeat {
  kind: "open";
}

/** Send me everything again. */
export interface Full {
  do: "full";
  id: string;
}

/** Everything a seat may know. */
export interface FullFrame {
  type: "full";
  version: number;
  seat: number;
  now: number;
  match: MatchAnswer;
  view: unknown;
  turn: number | null;
  log?: ([number, string])[];
  actions?: string[];
  clock?: ClockFrame;
  offers?: OfferFrame[];
  outcome?: Result;
  re?: string;
}

/** A game with the options asked for. */
export interface GameAnswer {
  key: string;
  title: string;
  summary: string;
  seats: number;
  options: Record<string, unknown>;
  bots: string[];
  seat_names: string[];
}

/** A stock of seconds for the game, and some more for each turn taken. */
export interface GameClock {
  kind: "game";
  seconds: number;
  increment?: number;
}

/** Whether somebody sits at a seat's board now. */
export interface Here {
  here: boolean;
  since?: number;
}

/** A suggestion and why: `only`, `wins`, `stops` or `best`. */
export interface Hint {
  action: string;
  reason: string;
}

/** A seat to take; the first open one if none is named. */
export interface Join {
  seat?: number | null;
}

/** Let me look through another of my seats. */
export interface Look {
  do: "look";
  id: string;
  seat: number;
}

/** A match, as everybody may know it; `mine` and `turn` depend on who asks and when. */
export interface MatchAnswer {
  id: string;
  game: string;
  options: Record<string, unknown>;
  status: "aborted" | "finished" | "open" | "running";
  seats: (Person | BotSeat | OpenSeat)[];
  mine: number[];
  clock: NoClock | GameClock | DayClock;
  public: boolean;
  rated: boolean;
  series: Standing;
  previous: string | null;
  next: string | null;
  created: number;
  turn: number | null;
  outcome: Result | null;
  grace: number;
}

/** Who asks. */
export interface Me {
  id: string;
  name: string;
  account: boolean;
}

/** I sit here, or somebody beside me at this screen. */
export interface MySeat {
  kind: "me";
  name?: string | null;
}

/** A match to be made. */
export interface NewMatch {
  game: string;
  seats: (MySeat | FreeSeat | BotWish)[];
  options?: Record<string, unknown>;
  toss?: boolean;
  clock?: NoClock | GameClock | DayClock;
  public?: boolean;
  rated?: boolean;
  series?: number;
}

/** A token with its secret. */
export interface NewToken {
  id: string;
  label: string;
  token: string;
}

/** Time is not counted. */
export interface NoClock {
  kind: "none";
}

/** Offer a draw, ask to take back, ask for another game. */
export interface Offer {
  do: "offer";
  id: string;
  what: "draw" | "rematch" | "takeback";
}

/** An open offer. */
export interface OfferFrame {
  seat: number;
  what: "draw" | "rematch" | "takeback";
}

/** A seat for whoever comes. */
export interface OpenSeat {
  kind: "open";
}

/** A seat with a person. */
export interface Person {
  kind: "person";
  name: string;
  player: string;
}

/** Are you there, and what is the time? */
export interface Ping {
  do: "ping";
  id: string;
  t?: number;
}

/** A player with all ratings. */
export interface PlayerAnswer {
  id: string;
  name: string;
  account: boolean;
  bot: boolean;
  ratings: Rating[];
}

/** The answer to a ping. */
export interface Pong {
  type: "pong";
  re: string;
  t: number;
  now: number;
}

/** Who is here. */
export interface Presence {
  type: "presence";
  seats: Here[];
  watching: number;
}

/** How strong a player is at a game. */
export interface Rating {
  game: string;
  rating: number;
  doubt: number;
  matches: number;
}

/** Why something was not done. */
export interface Refusal {
  code: string;
  message: string;
}

/** The command was not done. */
export interface Refused {
  type: "refused";
  code: string;
  message: string;
  re?: string;
}

/** A new name. */
export interface Rename {
  name: string;
}

/** Give up. */
export interface Resign {
  do: "resign";
  id: string;
}

/** How a match ended, as it is kept and sent; scores are fractions such as "7/2". */
export interface Result {
  winners: number[];
  reason: string;
  scores: string[] | null;
  at: string[];
}

/** Nothing was missed. */
export interface Resumed {
  type: "resumed";
  version: number;
  now: number;
  clock?: ClockFrame;
}

/** A bot to put on an open seat. */
export interface SeatBot {
  bot: string;
}

/** How a series stands before a game: first to win `to` games; `wins` belongs to the seats of this game. */
export interface Standing {
  to?: number;
  game?: number;
  wins?: number[];
}

/** One state of a study and how it was reached. */
export interface Step {
  actor: number | null;
  line: string | null;
  view: unknown;
  turn: number | null;
  actions: string[];
  outcome: Result | null;
}

/** A play to be shown. */
export interface Study {
  game: string;
  options?: Record<string, unknown>;
  position?: Record<string, unknown> | null;
  actions?: string[];
  seat?: number;
}

/** A play shown step by step. */
export interface StudyAnswer {
  options: Record<string, unknown>;
  steps: Step[];
}

/** What wins at once, and what keeps others from it. */
export interface Threats {
  wins: string[];
  stops: string[];
}

/** A token; its secret is shown once. */
export interface TokenAnswer {
  id: string;
  label: string;
}

/** A token to be made. */
export interface TokenWish {
  label: string;
}

/** An event as a seat is told of it. */
export interface Told {
  event: string;
  seat?: number;
  line?: string;
  what?: "draw" | "rematch" | "takeback";
  plies?: number;
  away?: number;
  name?: string;
  kind?: string;
  match?: string;
}

export type Frame = Done | EventFrame | FullFrame | Pong | Presence | Refused | Resumed;

export type Wish = Abort | Accept | Act | Claim | Decline | Follow | Full | Look | Offer | Ping | Resign;
