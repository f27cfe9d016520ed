// Written by web/scripts/wire.py; do not edit.

export type AnalysisAnswer = AnalysisFrame | RefutationFrame | Finished | Refused;
export type AnalysisMessage = Analyse | Refute | Stop;
export type ClientMessage = Act | Offer | Accept | Decline | Resign | Abort | Claim | Full | Look | Follow | Ping;
export type Frame = EventFrame | FullFrame | Resumed | Done | Refused | Presence | Pong;

export interface Messages {
  Abort: Abort;
  AbortedEvent: AbortedEvent;
  Accept: Accept;
  AcceptedEvent: AcceptedEvent;
  Act: Act;
  ActedEvent: ActedEvent;
  AgreedEvent: AgreedEvent;
  Analyse: Analyse;
  AnalysisAnswer: AnalysisAnswer;
  AnalysisFrame: AnalysisFrame;
  AnalysisLine: AnalysisLine;
  AnalysisMessage: AnalysisMessage;
  BotRequest: BotRequest;
  BotSeat: BotSeat;
  Claim: Claim;
  ClaimedEvent: ClaimedEvent;
  ClientMessage: ClientMessage;
  ClockFrame: ClockFrame;
  CodesLeft: CodesLeft;
  Credentials: Credentials;
  DayClock: DayClock;
  Decline: Decline;
  DeclinedEvent: DeclinedEvent;
  Done: Done;
  EventFrame: EventFrame;
  Finished: Finished;
  FlaggedEvent: FlaggedEvent;
  Follow: Follow;
  Frame: Frame;
  FreeSeat: FreeSeat;
  Full: Full;
  FullFrame: FullFrame;
  GameAnswer: GameAnswer;
  GameClock: GameClock;
  GraphAnswer: GraphAnswer;
  GraphPosition: GraphPosition;
  GraphRequest: GraphRequest;
  Hint: Hint;
  JoinRequest: JoinRequest;
  JoinedEvent: JoinedEvent;
  LeftEvent: LeftEvent;
  ListedMatch: ListedMatch;
  Look: Look;
  MatchAnswer: MatchAnswer;
  Me: Me;
  MySeat: MySeat;
  NewAccount: NewAccount;
  NewCodes: NewCodes;
  NewMatch: NewMatch;
  NewToken: NewToken;
  NoClock: NoClock;
  Offer: Offer;
  OfferFrame: OfferFrame;
  OfferedEvent: OfferedEvent;
  OpenSeat: OpenSeat;
  OutcomeAnswer: OutcomeAnswer;
  PasswordChange: PasswordChange;
  PasswordRequest: PasswordRequest;
  Person: Person;
  Ping: Ping;
  PlayerAnswer: PlayerAnswer;
  Pong: Pong;
  Presence: Presence;
  RatingAnswer: RatingAnswer;
  Reach: Reach;
  Recovery: Recovery;
  Refusal: Refusal;
  Refused: Refused;
  RefutationFrame: RefutationFrame;
  Refute: Refute;
  RematchedEvent: RematchedEvent;
  Rename: Rename;
  ReplacedEvent: ReplacedEvent;
  Rescue: Rescue;
  RescueAnswer: RescueAnswer;
  Resign: Resign;
  ResignedEvent: ResignedEvent;
  Resumed: Resumed;
  SeatBot: SeatBot;
  SeatPresence: SeatPresence;
  SeriesAnswer: SeriesAnswer;
  SeriesLength: SeriesLength;
  SessionAnswer: SessionAnswer;
  StartedEvent: StartedEvent;
  Step: Step;
  Stop: Stop;
  StudyAnswer: StudyAnswer;
  StudyRequest: StudyRequest;
  Threat: Threat;
  Threats: Threats;
  TokenAnswer: TokenAnswer;
  TokenRequest: TokenRequest;
  UndoneEvent: UndoneEvent;
}
/**
 * Call the match off before its first action.
 */
export interface Abort {
  do: "abort";
  id: string;
}
/**
 * The match is called off.
 */
export interface AbortedEvent {
  event: "aborted";
  seat: number;
}
/**
 * Agree to an offer.
 */
export interface Accept {
  do: "accept";
  id: string;
  what: "draw" | "rematch" | "takeback";
}
/**
 * A seat agrees to an offer.
 */
export interface AcceptedEvent {
  event: "accepted";
  seat: number;
  what: "draw" | "rematch" | "takeback";
}
/**
 * Take an action; `version` is the one the player was looking at.
 */
export interface Act {
  do: "act";
  id: string;
  version: number;
  action: string;
}
/**
 * A seat, or the dealer (-1), took an action; `line` is what this viewer may know of it.
 */
export interface ActedEvent {
  event: "acted";
  seat: number;
  line: string;
}
/**
 * The players agree on a draw.
 */
export interface AgreedEvent {
  event: "agreed";
}
/**
 * Send the best lines of a position, better ones from time to time; it replaces what was asked before.
 */
export interface Analyse {
  do: "analyse";
  id: string;
  game: string;
  options?: {
    [k: string]: unknown;
  };
  position?: {
    [k: string]: unknown;
  } | null;
  actions?: string[];
  lines?: number;
}
/**
 * The best lines so far and all that was searched; `depth` is null for searches that do not count plies.
 *
 * The first frame of an answer has what needs no search: by area the tiles to expect, from -1, all of seat 1, to 1,
 * and the chance of each kind of card to be the next one drawn, as the seat to act knows it.
 */
export interface AnalysisFrame {
  type: "analysis";
  re: string;
  seat: number;
  lines: AnalysisLine[];
  nodes: number;
  ms: number;
  depth?: number | null;
  ownership?: {
    [k: string]: number;
  };
  odds?: {
    [k: string]: number;
  };
}
/**
 * An action, the score to expect after it for who acts, from 0 to 1, and how both would go on.
 *
 * `proven` is such as "win in 5", counted in actions of the winner; null if nothing is proved.
 */
export interface AnalysisLine {
  action: string;
  score: number;
  pv: string[];
  proven?: string | null;
}
/**
 * The reply to one answer of the side that is lost; `left` answers follow.
 *
 * `action` is null if the answer ends the game or the same seat acts again, `proven` if no proof was found.
 */
export interface RefutationFrame {
  type: "refutation";
  re: string;
  answer: string;
  action: string | null;
  proven: string | null;
  left: number;
}
/**
 * The last question is answered; nothing more will be found.
 */
export interface Finished {
  type: "finished";
  re: string;
}
/**
 * The command was not done.
 */
export interface Refused {
  type: "refused";
  code: string;
  message: string;
  re?: string;
}
/**
 * Send the reply that wins to every action of a side that is lost; it replaces what was asked before.
 */
export interface Refute {
  do: "refute";
  id: string;
  game: string;
  options?: {
    [k: string]: unknown;
  };
  position?: {
    [k: string]: unknown;
  } | null;
  actions?: string[];
}
/**
 * Send nothing more.
 */
export interface Stop {
  do: "stop";
  id: string;
}
/**
 * A bot of this name.
 */
export interface BotRequest {
  kind: "bot";
  bot: string;
}
/**
 * A seat with a bot.
 */
export interface BotSeat {
  kind: "bot";
  name: string;
  player: string;
}
/**
 * Win, or have a bot play on, because somebody has left.
 */
export interface Claim {
  do: "claim";
  id: string;
  what: "bot" | "win";
}
/**
 * A seat claims the win because the seat `away`, whose turn it is, has left.
 */
export interface ClaimedEvent {
  event: "claimed";
  seat: number;
  away: number;
}
/**
 * Offer a draw, ask to take back, ask for another game.
 */
export interface Offer {
  do: "offer";
  id: string;
  what: "draw" | "rematch" | "takeback";
}
/**
 * Refuse an offer, or withdraw it.
 */
export interface Decline {
  do: "decline";
  id: string;
  what: "draw" | "rematch" | "takeback";
}
/**
 * Give up.
 */
export interface Resign {
  do: "resign";
  id: string;
}
/**
 * Send everything again.
 */
export interface Full {
  do: "full";
  id: string;
}
/**
 * Show the match through another of the player's seats.
 */
export interface Look {
  do: "look";
  id: string;
  seat: number;
}
/**
 * Go on with another match on this socket, such as the rematch.
 */
export interface Follow {
  do: "follow";
  id: string;
  match: string;
}
/**
 * Answer with the server's time.
 */
export interface Ping {
  do: "ping";
  id: string;
  t?: number;
}
/**
 * The time each seat had left at a moment, and whose time runs from then on.
 */
export interface ClockFrame {
  left: number[];
  at: number;
  running?: number | null;
}
/**
 * How many recovery codes are left.
 */
export interface CodesLeft {
  left: number;
}
/**
 * Name and password of an account.
 */
export interface Credentials {
  name: string;
  password: string;
}
/**
 * So many days for each turn.
 */
export interface DayClock {
  kind: "days";
  days: number;
}
/**
 * An offer is refused, or withdrawn by the seat that made it.
 */
export interface DeclinedEvent {
  event: "declined";
  seat: number;
  what: "draw" | "rematch" | "takeback";
}
/**
 * The command had been done before.
 */
export interface Done {
  type: "done";
  re: string;
  version: number;
}
/**
 * The next version of a match: its events, and the position after them.
 *
 * `match` is there if something in it changed besides `turn`; `text` and `words` if the socket asked for text.
 */
export interface EventFrame {
  type: "event";
  version: number;
  now: number;
  events: (
    | JoinedEvent
    | LeftEvent
    | StartedEvent
    | ActedEvent
    | OfferedEvent
    | AcceptedEvent
    | DeclinedEvent
    | UndoneEvent
    | AgreedEvent
    | ResignedEvent
    | FlaggedEvent
    | ClaimedEvent
    | ReplacedEvent
    | AbortedEvent
    | RematchedEvent
  )[];
  view: unknown;
  turn: number | null;
  actions?: string[];
  clock?: ClockFrame;
  offers?: OfferFrame[];
  outcome?: OutcomeAnswer;
  match?: MatchAnswer;
  text?: string;
  words?: string[];
  re?: string;
}
/**
 * A player takes a seat.
 */
export interface JoinedEvent {
  event: "joined";
  seat: number;
  name: string;
  kind: "bot" | "person";
}
/**
 * A seat becomes open again before the start.
 */
export interface LeftEvent {
  event: "left";
  seat: number;
}
/**
 * All seats are taken, the game begins.
 */
export interface StartedEvent {
  event: "started";
}
/**
 * A seat offers a draw, asks to take back, or wants to play again.
 */
export interface OfferedEvent {
  event: "offered";
  seat: number;
  what: "draw" | "rematch" | "takeback";
}
/**
 * The last plies are taken back, for this seat.
 */
export interface UndoneEvent {
  event: "undone";
  seat: number;
  plies: number;
}
/**
 * A seat resigns.
 */
export interface ResignedEvent {
  event: "resigned";
  seat: number;
}
/**
 * A seat has used up its time.
 */
export interface FlaggedEvent {
  event: "flagged";
  seat: number;
}
/**
 * A bot takes over a seat.
 */
export interface ReplacedEvent {
  event: "replaced";
  seat: number;
  name: string;
  kind: "bot" | "person";
}
/**
 * The players play again, in the match of this id.
 */
export interface RematchedEvent {
  event: "rematched";
  match: string;
}
/**
 * An open offer.
 */
export interface OfferFrame {
  seat: number;
  what: "draw" | "rematch" | "takeback";
}
/**
 * How a match ended; scores are fractions such as "7/2".
 */
export interface OutcomeAnswer {
  winners: number[];
  reason: string;
  scores: string[] | null;
  at: string[];
}
/**
 * A match, as everybody may know it; `mine` and `turn` depend on who asks and when.
 */
export interface MatchAnswer {
  id: string;
  game: string;
  options: {
    [k: string]: unknown;
  };
  status: "aborted" | "finished" | "open" | "running";
  seats: (Person | BotSeat | OpenSeat)[];
  mine: number[];
  clock: NoClock | GameClock | DayClock;
  public: boolean;
  rated: boolean;
  series: SeriesAnswer;
  previous: string | null;
  next: string | null;
  created: number;
  turn: number | null;
  outcome: OutcomeAnswer | null;
  grace: number;
}
/**
 * A seat with a person.
 */
export interface Person {
  kind: "person";
  name: string;
  player: string;
}
/**
 * A seat that nobody has taken.
 */
export interface OpenSeat {
  kind: "open";
}
/**
 * Time is not counted.
 */
export interface NoClock {
  kind: "none";
}
/**
 * A stock of seconds for the game, and some more for each turn taken.
 */
export interface GameClock {
  kind: "game";
  seconds: number;
  increment?: number;
}
/**
 * How a series stands: first to win `to` games; `wins` belongs to the seats of this match.
 */
export interface SeriesAnswer {
  to: number;
  game: number;
  wins: number[];
}
/**
 * Everything that a viewer may know.
 */
export interface FullFrame {
  type: "full";
  version: number;
  seat: number;
  now: number;
  match: MatchAnswer;
  view: unknown;
  turn: number | null;
  log?: [number, string][];
  actions?: string[];
  clock?: ClockFrame;
  offers?: OfferFrame[];
  outcome?: OutcomeAnswer;
  text?: string;
  words?: string[];
  re?: string;
}
/**
 * The client has the newest version.
 */
export interface Resumed {
  type: "resumed";
  version: number;
  now: number;
  clock?: ClockFrame;
}
/**
 * Which players have a socket open, and how many spectators.
 */
export interface Presence {
  type: "presence";
  seats: SeatPresence[];
  watching: number;
}
/**
 * Whether the player of a seat has a socket open; if not, since when.
 */
export interface SeatPresence {
  here: boolean;
  since?: number;
}
/**
 * The answer to a ping.
 */
export interface Pong {
  type: "pong";
  re: string;
  t: number;
  now: number;
}
/**
 * A seat for the first player who joins.
 */
export interface FreeSeat {
  kind: "open";
}
/**
 * A game with the options asked for; `text` is a drawing of its first position.
 */
export interface GameAnswer {
  key: string;
  title: string;
  summary: string;
  how_to_play: string;
  seats: number;
  options: {
    [k: string]: unknown;
  };
  bots: string[];
  default_bot: string;
  seat_names: string[];
  series: SeriesLength[];
  hidden: boolean;
  solved: boolean;
  text: string;
}
/**
 * A length of a series that has a name: how many won games win it.
 */
export interface SeriesLength {
  name: string;
  wins: number;
}
/**
 * All positions of a small solved game; `at` is the number of the one asked for, null if it is none of them.
 */
export interface GraphAnswer {
  positions: GraphPosition[];
  at: number | null;
}
/**
 * A position up to symmetry, the numbers of those after it; what it is for the side to act, in so many plies.
 */
export interface GraphPosition {
  position: {
    [k: string]: unknown;
  };
  after: number[];
  result: "draw" | "loss" | "win";
  plies: number | null;
}
/**
 * A position to be found in the graph of its game.
 */
export interface GraphRequest {
  game: string;
  options?: {
    [k: string]: unknown;
  };
  position?: {
    [k: string]: unknown;
  } | null;
  actions?: string[];
}
/**
 * A suggestion and why: `only`, `wins`, `stops` or `best`.
 */
export interface Hint {
  action: string;
  reason: string;
}
/**
 * A seat to take; the first open one if none is named.
 */
export interface JoinRequest {
  seat?: number | null;
}
/**
 * A match in a list, with its position as a spectator sees it; None before the start, or if it is not at hand.
 */
export interface ListedMatch {
  id: string;
  game: string;
  options: {
    [k: string]: unknown;
  };
  status: "aborted" | "finished" | "open" | "running";
  seats: (Person | BotSeat | OpenSeat)[];
  mine: number[];
  clock: NoClock | GameClock | DayClock;
  public: boolean;
  rated: boolean;
  series: SeriesAnswer;
  previous: string | null;
  next: string | null;
  created: number;
  turn: number | null;
  outcome: OutcomeAnswer | null;
  grace: number;
  view: unknown;
}
/**
 * The player who sent the request.
 */
export interface Me {
  id: string;
  name: string;
  account: boolean;
}
/**
 * I sit here, or somebody beside me at this screen.
 */
export interface MySeat {
  kind: "me";
  name?: string | null;
}
/**
 * A new account; its recovery codes are shown once.
 */
export interface NewAccount {
  id: string;
  name: string;
  account: boolean;
  recovery_codes: string[];
}
/**
 * New recovery codes, which are shown once.
 */
export interface NewCodes {
  recovery_codes: string[];
}
/**
 * A match to be made.
 */
export interface NewMatch {
  game: string;
  seats: (MySeat | FreeSeat | BotRequest)[];
  options?: {
    [k: string]: unknown;
  };
  toss?: boolean;
  clock?: NoClock | GameClock | DayClock;
  public?: boolean;
  rated?: boolean;
  series?: number;
}
/**
 * A token with its secret.
 */
export interface NewToken {
  id: string;
  label: string;
  scope: string;
  token: string;
}
/**
 * The old password of an account and a new one.
 */
export interface PasswordChange {
  old: string;
  password: string;
}
/**
 * The password of an account, to confirm who asks.
 */
export interface PasswordRequest {
  password: string;
}
/**
 * A player with all ratings.
 */
export interface PlayerAnswer {
  id: string;
  name: string;
  account: boolean;
  bot: boolean;
  ratings: RatingAnswer[];
}
/**
 * How strong a player is at a game, in points.
 */
export interface RatingAnswer {
  game: string;
  rating: number;
  doubt: number;
  matches: number;
}
/**
 * Who reaches the server: this computer only, or also the local network, at these addresses.
 */
export interface Reach {
  local_only: boolean;
  addresses: string[];
}
/**
 * The name of an account, one of its recovery codes, and a new password.
 */
export interface Recovery {
  name: string;
  code: string;
  password: string;
}
/**
 * Why a request was refused.
 */
export interface Refusal {
  code: string;
  message: string;
}
/**
 * A new name.
 */
export interface Rename {
  name: string;
}
/**
 * The last decision of the loser before the loss was proved: after how many actions, and what the loser saw.
 *
 * `saves` are the actions that would have avoided what followed, none if nothing threatened yet; `taken` is what was
 * done; `threats` are how the others were about to win.
 */
export interface Rescue {
  ply: number;
  view: unknown;
  saves: string[];
  taken: string;
  threats: Threat[];
}
/**
 * How another seat would win: its next action, the points of its line in order, and those that are missing.
 *
 * Of the missing points, that of the action is the first. `reason` is that of the outcome.
 */
export interface Threat {
  action: string;
  cells: string[];
  missing: string[];
  reason: string;
}
/**
 * The rescue of a lost match; null if none is known.
 */
export interface RescueAnswer {
  rescue: Rescue | null;
}
/**
 * A bot to put on an open seat.
 */
export interface SeatBot {
  bot: string;
}
/**
 * A session of yours: on which device, when it was made and last used, and whether it is the one that asks.
 */
export interface SessionAnswer {
  id: string;
  device: string;
  created: number;
  used: number;
  current: boolean;
}
/**
 * One state of a study and how it was reached; what follows `outcome` is there if it was asked for.
 *
 * `odds` are those of the actions, where the dealer acts.
 */
export interface Step {
  actor: number | null;
  line: string | null;
  view: unknown;
  turn: number | null;
  actions: string[];
  outcome: OutcomeAnswer | null;
  text?: string;
  words?: string[];
  position?: {
    [k: string]: unknown;
  };
  odds?: number[];
}
/**
 * A sequence of actions shown step by step.
 */
export interface StudyAnswer {
  options: {
    [k: string]: unknown;
  };
  steps: Step[];
}
/**
 * Actions to be played from a position and shown step by step.
 *
 * `seat` is who sees the steps, -2 for a spectator; with "turn" each step is seen by the seat that is to act in it.
 */
export interface StudyRequest {
  game: string;
  options?: {
    [k: string]: unknown;
  };
  position?: {
    [k: string]: unknown;
  } | null;
  actions?: string[];
  seat?: number | "turn";
  text?: boolean;
  positions?: boolean;
}
/**
 * What wins at once, what keeps others from it, and how others would win.
 */
export interface Threats {
  wins: string[];
  stops: string[];
  threats: Threat[];
}
/**
 * A token; its secret is shown once.
 */
export interface TokenAnswer {
  id: string;
  label: string;
  scope: string;
}
/**
 * A token to be made.
 */
export interface TokenRequest {
  label: string;
  scope?: "play" | "read";
}
