// Written by web/scripts/wire.py; do not edit.

export type AnalysisAnswer = AnalysisFrame | RefutationFrame | Finished | Refused;
export type AnalysisMessage = Analyse | Refute | Stop;
export type AnyAsk = Enter | Withdraw | ProposeTime | AgreeTime | DropTime | Start | End | Remove;
export type AnyEdit =
  | AddNode
  | RemoveNode
  | PromoteNode
  | CommentNode
  | MarkNode
  | RenameChapter
  | RenameStudy
  | AddChapter
  | RemoveChapter
  | MoveChapter;
/**
 * An action after the node with the number `parent`, and what is said of the position after it.
 */
export type Node = [number, string, string, Mark[]];
/**
 * A cell that is marked, or an arrow from one cell to another; cells are named as in the game's notation.
 */
export type Mark = [string, string | null];
export type ClientMessage =
  Act | Offer | Accept | Decline | Resign | Abort | Claim | Greet | Full | Look | Follow | Ping;
export type Frame = EventFrame | FullFrame | Resumed | Done | Refused | Presence | Greeting | Pong;
/**
 * How much expected score an action lost, the least first.
 */
export type Grade = "best" | "blunder" | "good" | "inaccuracy" | "mistake";
/**
 * Proof verdict of an action.
 */
export type ProofGrade =
  "allowed-loss" | "gave-win" | "kept-draw" | "kept-win" | "lost-anyway" | "missed-win" | "threw-draw";
export type StudyFrame = StudyOpened | EditFrame | Reload | Readers | Done | Refused;
export type TournamentMessage = PingTournament | FullTournament;
export type TournamentMessageAnswer = TournamentFrame | TournamentChange | Done | Refused | Pong;

/**
 * Call the match off before its first action.
 */
export interface Abort {
  do: "abort";
  id: string;
}
/**
 * The match is called off before its first action.
 */
export interface Aborted {
  event: "aborted";
  seat: number;
}
/**
 * Agree to an offer.
 */
export interface Accept {
  do: "accept";
  id: string;
  what: "cancel" | "draw" | "rematch" | "takeback";
}
/**
 * What is accepted of a challenge: the numbers of a variant and of a clock, and whether rated; else what fits.
 */
export interface Acceptance {
  variant?: number | null;
  clock?: number | null;
  rated?: boolean | null;
}
/**
 * A seat agrees to an offer.
 */
export interface Accepted {
  event: "accepted";
  seat: number;
  what: "cancel" | "draw" | "rematch" | "takeback";
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
 * A chapter is added at the end.
 */
export interface AddChapter {
  op: "add-chapter";
  chapter: string;
  document: {
    [k: string]: unknown;
  };
}
/**
 * The last action of the path is added after the node before it; it must be legal there.
 */
export interface AddNode {
  op: "add";
  chapter: string;
  path: string[];
}
/**
 * The ids of chapters that were added.
 */
export interface AddedChapters {
  chapters: string[];
}
/**
 * Agree to the time that the other has proposed; `at` is the one that was seen.
 */
export interface AgreeTime {
  do: "agree";
  id: string;
  board: number;
  at: number;
}
/**
 * The players agree on a draw.
 */
export interface Agreed {
  event: "agreed";
}
/**
 * Send the best lines of a position, better ones from time to time; it replaces what was asked before.
 */
export interface Analyse {
  do: "analyse";
  game: string;
  options?: {
    [k: string]: unknown;
  };
  position?: {
    [k: string]: unknown;
  } | null;
  actions?: string[];
  lines?: number;
  id: string;
}
/**
 * The best lines so far and all that was searched; `depth` is null for searches that do not count plies.
 *
 * The first frame of an answer has what needs no search: by area the tiles to expect, from -1, all of seat 1, to 1,
 * how the game is expected to end, and the chance of each kind of card to be the next one drawn, as the seat to act
 * knows it.
 */
export interface AnalysisFrame {
  type: "analysis";
  seat: number;
  lines: AnalysisLine[];
  nodes: number;
  ms: number;
  depth?: number | null;
  ownership?: {
    [k: string]: number;
  };
  prediction?: Prediction;
  odds?: {
    [k: string]: number;
  };
  re: string;
}
/**
 * An action, its expected score for the seat to act, from 0 to 1, and the continuation.
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
 * How a game for two is expected to end: the score of seat 0, from 0 to 1, its lead in points, and all endings.
 *
 * The most likely ending comes first. `lead` is null where no points are counted.
 */
export interface Prediction {
  score: number;
  lead: number | null;
  endings: LikelyEnding[];
}
/**
 * One way in which a game may end, and its chance; `winner` is null for a draw.
 */
export interface LikelyEnding {
  reason: string;
  winner: number | null;
  chance: number;
}
/**
 * The reply to one answer of the side that is lost; `left` answers follow.
 *
 * `action` is null if the answer ends the game or the same seat acts again, `proven` if no proof was found.
 */
export interface RefutationFrame {
  type: "refutation";
  answer: string;
  action: string | null;
  proven: string | null;
  left: number;
  re: string;
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
  reason?: string;
  values?: {
    [k: string]: unknown;
  };
}
/**
 * Send the reply that wins to every action of a side that is lost; it replaces what was asked before.
 */
export interface Refute {
  do: "refute";
  game: string;
  options?: {
    [k: string]: unknown;
  };
  position?: {
    [k: string]: unknown;
  } | null;
  actions?: string[];
  id: string;
}
/**
 * Send nothing more.
 */
export interface Stop {
  do: "stop";
  id: string;
}
/**
 * Take part, from the next round on if the tournament runs, or again after a withdrawal.
 */
export interface Enter {
  do: "enter";
  id: string;
}
/**
 * Play no more: open games of the round are lost, and nobody is paired with the player any more.
 */
export interface Withdraw {
  do: "withdraw";
  id: string;
}
/**
 * Propose a time (ms) for a pairing of one's own, in place of any other.
 */
export interface ProposeTime {
  do: "propose";
  id: string;
  board: number;
  at: number;
}
/**
 * Decline a time, or take one's proposal back.
 */
export interface DropTime {
  do: "drop";
  id: string;
  board: number;
}
/**
 * Begin the first round; only the organiser may.
 */
export interface Start {
  do: "start";
  id: string;
}
/**
 * Cancel a tournament that has not begun, or end one that runs as it stands; only the organiser may.
 */
export interface End {
  do: "end";
  id: string;
}
/**
 * Withdraw somebody else; only the organiser may.
 */
export interface Remove {
  do: "remove";
  id: string;
  player: string;
}
/**
 * The node and all that follows it are removed; the root stays.
 */
export interface RemoveNode {
  op: "remove";
  chapter: string;
  path: string[];
}
/**
 * The node becomes the main line at its place.
 */
export interface PromoteNode {
  op: "promote";
  chapter: string;
  path: string[];
}
/**
 * The comment at the node is this text.
 */
export interface CommentNode {
  op: "comment";
  chapter: string;
  path: string[];
  text: string;
}
/**
 * The marks at the node are these.
 */
export interface MarkNode {
  op: "mark";
  chapter: string;
  path: string[];
  marks: {
    [k: string]: unknown;
  }[];
}
/**
 * A chapter has another name.
 */
export interface RenameChapter {
  op: "rename-chapter";
  chapter: string;
  name: string;
}
/**
 * The study has another name.
 */
export interface RenameStudy {
  op: "rename";
  name: string;
}
/**
 * A chapter is removed.
 */
export interface RemoveChapter {
  op: "remove-chapter";
  chapter: string;
}
/**
 * A chapter gets this place among the chapters, from 0.
 */
export interface MoveChapter {
  op: "move-chapter";
  chapter: string;
  to: number;
}
/**
 * A time (ms) that a player proposed for a pairing, and whether the other has agreed and both were reminded.
 */
export interface Appointment {
  by: string;
  at: number;
  agreed?: boolean;
  reminded?: boolean;
}
/**
 * Correspondence clock: a stock of hours for the game and some more for each turn, never more than at first.
 */
export interface BankClock {
  kind: "bank";
  hours: number;
  increment: number;
}
/**
 * Description of a bot of the ladder: what it notices, how it thinks and how strong it is.
 */
export interface BotCard {
  bot: string;
  audience: string;
  elo: number;
  quick: number;
  nodes: number | null;
  ms: number | null;
  depth: number | null;
  notices: {
    [k: string]: number;
  };
  scores: {
    [k: string]: number;
  };
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
 * The players agree to call the match off; it has no result.
 */
export interface Cancelled {
  event: "cancelled";
}
/**
 * An open challenge; `barred` says why the one who asks can accept none of it, null if they can.
 */
export interface ChallengeAnswer {
  id: string;
  player: ChallengePlayer;
  game: string;
  variants: {
    [k: string]: unknown;
  }[];
  clocks: (NoClock | GameClock | DayClock | BankClock)[];
  stake: "casual" | "either" | "rated";
  audience: "anyone" | "followed" | "player";
  target: ChallengePlayer | null;
  seat: number | null;
  lowest: number | null;
  highest: number | null;
  standing: number;
  free: number;
  created: number;
  expires: number;
  barred: ("not-signed-in" | "outside-range") | null;
}
/**
 * A player of a challenge.
 */
export interface ChallengePlayer {
  id: string;
  name: string;
  account: boolean;
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
 * Correspondence clock: days for each turn.
 */
export interface DayClock {
  kind: "days";
  days: number;
}
/**
 * A challenge of the player of this socket became a match.
 */
export interface ChallengeMet {
  type: "met";
  challenge: string;
  match: string;
}
/**
 * The lists of challenges have changed; ask for those that are shown.
 */
export interface ChallengesChanged {
  type: "challenges";
}
/**
 * The rating of a player after a match, and by how many points the match moved it.
 */
export interface ChangeAnswer {
  player: string;
  rating: number;
  deviation: number;
  change: number;
}
/**
 * A position of a game, the initial one if there is no document, and a tree of variations from it.
 *
 * Changing it gives another chapter. Whether actions are legal, `states` tells.
 */
export interface Chapter {
  name: string;
  game: string;
  options?: {
    [k: string]: unknown;
  };
  position?: {
    [k: string]: unknown;
  } | null;
  nodes?: Node[];
}
/**
 * What a player chose: whether statistics are for the player alone, and whether greetings are off.
 */
export interface Choices {
  hidden: boolean;
  quiet: boolean;
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
 * A seat claims the win because another, whose turn it is, has left.
 */
export interface Claimed {
  event: "claimed";
  seat: number;
  away: number;
}
/**
 * Offer a draw, ask to take back, ask for another game, propose to cancel the match.
 */
export interface Offer {
  do: "offer";
  id: string;
  what: "cancel" | "draw" | "rematch" | "takeback";
}
/**
 * Refuse an offer, or withdraw it.
 */
export interface Decline {
  do: "decline";
  id: string;
  what: "cancel" | "draw" | "rematch" | "takeback";
}
/**
 * Give up.
 */
export interface Resign {
  do: "resign";
  id: string;
}
/**
 * Say one of a few phrases to the other people at the table.
 */
export interface Greet {
  do: "greet";
  id: string;
  phrase: "good-game" | "good-luck" | "kia-ora" | "one-moment" | "sorry" | "thank-you" | "well-played";
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
 * Switch this socket to another match, such as the rematch.
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
 * The time each seat had left at a moment, whose time runs from then on, and whose players are on vacation.
 *
 * The time of a seat whose player is on vacation stands still.
 */
export interface ClockFrame {
  left: number[];
  at: number;
  running?: number | null;
  vacation?: number[];
}
/**
 * How many recovery codes are left.
 */
export interface CodesLeft {
  left: number;
}
/**
 * The computer that fills odd places, and whether games against it count for ratings.
 */
export interface ComputerTerms {
  bot: string;
  rated?: boolean;
}
/**
 * Name and password of an account.
 */
export interface Credentials {
  name: string;
  password: string;
}
/**
 * An offer is refused, or withdrawn by the seat that made it.
 */
export interface Declined {
  event: "declined";
  seat: number;
  what: "cancel" | "draw" | "rematch" | "takeback";
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
 * The next version of the study; `re` is there for the client that made it.
 */
export interface EditFrame {
  type: "edit";
  version: number;
  edit:
    | AddNode
    | RemoveNode
    | PromoteNode
    | CommentNode
    | MarkNode
    | RenameChapter
    | RenameStudy
    | AddChapter
    | RemoveChapter
    | MoveChapter
    | LinksChanged
    | StudyDeleted;
  re?: string;
}
/**
 * A link was made or revoked; the sockets of a revoked link are closed.
 */
export interface LinksChanged {
  op: "links";
}
/**
 * The study is deleted; all its sockets are closed.
 */
export interface StudyDeleted {
  op: "deleted";
}
/**
 * A change of a study, the same as over its socket.
 */
export interface EditRequest {
  edit:
    | AddNode
    | RemoveNode
    | PromoteNode
    | CommentNode
    | MarkNode
    | RenameChapter
    | RenameStudy
    | AddChapter
    | RemoveChapter
    | MoveChapter;
}
/**
 * Change the study.
 */
export interface EditStudy {
  id: string;
  edit:
    | AddNode
    | RemoveNode
    | PromoteNode
    | CommentNode
    | MarkNode
    | RenameChapter
    | RenameStudy
    | AddChapter
    | RemoveChapter
    | MoveChapter;
}
/**
 * How a game ended; in a game that was given up, `expected` of the review has what was given up.
 */
export interface Ending {
  winners: number[];
  reason: string;
}
/**
 * The address of a subscription that ends.
 */
export interface EndpointRequest {
  endpoint: string;
}
/**
 * Somebody who takes part: a person by the id of the player, or a computer under a name of its own.
 *
 * `rating` is that at the entry, `since` the round from which on they play, and `away` says that they have withdrawn.
 * A computer is `bot`, the name of its level.
 */
export interface Entrant {
  id: string;
  name: string;
  rating?: number;
  since?: number;
  away?: boolean;
  bot?: string;
}
/**
 * The next version of a match: its events, and the position after them.
 *
 * `match` is there if something in it changed besides `turn`.
 */
export interface EventFrame {
  type: "event";
  version: number;
  now: number;
  view: unknown;
  turn: number | null;
  actions?: string[];
  clock?: ClockFrame;
  offers?: OfferFrame[];
  outcome?: OutcomeAnswer;
  text?: string;
  words?: string[];
  re?: string;
  events: (
    | JoinedEvent
    | ActedEvent
    | ReplacedEvent
    | Left
    | Started
    | Undone
    | Rematched
    | Offered
    | Accepted
    | Declined
    | Vacation
    | Agreed
    | Resigned
    | Flagged
    | Claimed
    | Aborted
    | Cancelled
    | Stopped
  )[];
  match?: MatchAnswer;
}
/**
 * An open offer.
 */
export interface OfferFrame {
  seat: number;
  what: "cancel" | "draw" | "rematch" | "takeback";
}
/**
 * How a match ended, as it is stored and sent; scores are fractions such as "7/2".
 */
export interface OutcomeAnswer {
  winners: number[];
  reason: string;
  scores: string[] | null;
  at: string[];
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
 * A bot takes over a seat.
 */
export interface ReplacedEvent {
  event: "replaced";
  seat: number;
  name: string;
  kind: "bot" | "person";
}
/**
 * A seat becomes open again before the start.
 */
export interface Left {
  event: "left";
  seat: number;
}
/**
 * All seats are taken, the game begins; `timed` if time runs from now on and not from the first action on.
 */
export interface Started {
  event: "started";
  timed?: boolean;
}
/**
 * The last plies are taken back, for this seat.
 */
export interface Undone {
  event: "undone";
  seat: number;
  plies: number;
}
/**
 * The players play again, in another match.
 */
export interface Rematched {
  event: "rematched";
  match: string;
}
/**
 * A seat offers a draw, asks to take back, wants to play again, or proposes to cancel the match.
 */
export interface Offered {
  event: "offered";
  seat: number;
  what: "cancel" | "draw" | "rematch" | "takeback";
}
/**
 * The player of a seat begins a vacation, during which the time of the seat stands still, or ends it.
 */
export interface Vacation {
  event: "vacation";
  seat: number;
  on: boolean;
}
/**
 * A seat resigns.
 */
export interface Resigned {
  event: "resigned";
  seat: number;
}
/**
 * A seat has used up its time.
 */
export interface Flagged {
  event: "flagged";
  seat: number;
}
/**
 * The match has become as long as a match may be, and is a draw.
 */
export interface Stopped {
  event: "stopped";
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
  clock: NoClock | GameClock | DayClock | BankClock;
  public: boolean;
  rated: boolean;
  series: Series;
  previous: string | null;
  next: string | null;
  tournament: string | null;
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
 * How a series stands: first to win `to` games; `game` is the number of this game, `wins` belongs to its seats.
 */
export interface Series {
  to: number;
  game: number;
  wins: number[];
}
/**
 * What was played from a position, the most frequent first, and whose turn it is.
 */
export interface ExplorerAnswer {
  turn: number | null;
  played: PlayedAction[];
}
/**
 * Actions that were played and that symmetry makes one, and how the games ended for the player who took them.
 */
export interface PlayedAction {
  actions: string[];
  won: number;
  drawn: number;
  lost: number;
}
/**
 * A position, by the actions played from another one, and whose games to look at.
 */
export interface ExplorerRequest {
  game: string;
  options?: {
    [k: string]: unknown;
  };
  position?: {
    [k: string]: unknown;
  } | null;
  actions?: string[];
  scope?: "bots" | "mine" | "public";
}
/**
 * The addresses of your feeds, null if you have none; who knows them can read your deadlines and notices.
 */
export interface FeedAddresses {
  calendar: string | null;
  atom: string | null;
}
/**
 * The language of the sentences in your feeds.
 */
export interface FeedsRequest {
  language?: "de" | "en" | "fr";
}
/**
 * Everything that a viewer may know.
 */
export interface FullFrame {
  type: "full";
  version: number;
  now: number;
  view: unknown;
  turn: number | null;
  actions?: string[];
  clock?: ClockFrame;
  offers?: OfferFrame[];
  outcome?: OutcomeAnswer;
  text?: string;
  words?: string[];
  re?: string;
  seat: number;
  match: MatchAnswer;
  log?: [number, string][];
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
 * A phrase that a player has said, for the others at the table who want greetings; with `re` for that player.
 */
export interface Greeting {
  type: "greeting";
  seat: number;
  phrase: "good-game" | "good-luck" | "kia-ora" | "one-moment" | "sorry" | "thank-you" | "well-played";
  re?: string;
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
 * Send everything again.
 */
export interface FullTournament {
  do: "full";
  id: string;
}
/**
 * A game with the options asked for; `text` is a drawing of its first position.
 *
 * `bot_cards` tell of those bots that are levels of the ladder.
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
  bot_cards: BotCard[];
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
 * An action of a seat with its grades; the dealer's have none.
 *
 * Scores are expected scores of the seat, from 0 to 1; the loss is in points of a hundred. `line` is how the game
 * would have gone on with the best action, which comes first. `grade` is `None` if there was no other action, if all
 * were proved to lose, if the search did not look at it, or if what it lost was too hard to see, as `hard` says.
 */
export interface GradedAction {
  ply: number;
  seat: number;
  action: string;
  line: string[];
  before: number;
  after: number | null;
  loss: number | null;
  grade: Grade | null;
  proof: ProofGrade | null;
  proved_before: Verdict | null;
  proved_after: Verdict | null;
  punished?: boolean | null;
  threats?: ThreatLine[];
  hard?: boolean;
}
/**
 * Proven result of a state for the seat to act.
 */
export interface Verdict {
  result: string;
  actions?: number | null;
}
/**
 * How another seat would win: its next action as text, the points of its line in order, and those that are missing.
 *
 * Of the missing points, that of the action is the first. `reason` is that of the outcome.
 */
export interface ThreatLine {
  action: string;
  cells: string[];
  missing: string[];
  reason: string;
}
/**
 * All positions of a small solved game; `at` is the number of the one asked for, null if it is none of them.
 */
export interface GraphAnswer {
  positions: GraphPosition[];
  at: number | null;
}
/**
 * A position up to symmetry, the numbers of those after it, and its result for the side to act in `plies`.
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
 * A group with its members; `invitation`, the code to join it with, is null unless you are a teacher.
 */
export interface GroupAnswer {
  id: string;
  name: string;
  kind: "class" | "club";
  role: "member" | "pupil" | "teacher";
  created: number;
  ends: number | null;
  invitation: string | null;
  members: MemberAnswer[];
}
/**
 * A member of a group.
 */
export interface MemberAnswer {
  id: string;
  name: string;
  role: "member" | "pupil" | "teacher";
}
/**
 * What changes of a group; with `renew` it gets another code, and the one before is worth nothing.
 */
export interface GroupChange {
  name?: string;
  ends?: number | null;
  renew?: boolean;
}
/**
 * The code of a group, in whatever case and with spaces and hyphens or without.
 */
export interface GroupCode {
  code: string;
}
/**
 * A member with the rating at a game at a pace.
 */
export interface GroupStanding {
  player: string;
  name: string;
  rating: RatingAnswer;
}
/**
 * How strong a player is at a game at a pace: a rating that is within two deviations of the truth, mostly.
 */
export interface RatingAnswer {
  game: string;
  pace: "blitz" | "correspondence" | "rapid" | "table";
  rating: number;
  deviation: number;
  provisional: boolean;
  matches: number;
}
/**
 * A suggestion and why: `only`, `wins`, `stops` or `best`; in some games also what it is about, in points.
 */
export interface Hint {
  action: string;
  reason: string;
  stakes?: {
    [k: string]: number;
  };
}
/**
 * Homework of a group: how many puzzles and lessons it has, and which of them you have done.
 */
export interface HomeworkAnswer {
  id: string;
  title: string;
  created: number;
  due: number | null;
  tasks: (PuzzleSet | Lessons)[];
  parts: number;
  done: string[];
}
/**
 * Puzzles of a game by their ids.
 */
export interface PuzzleSet {
  kind: "puzzles";
  game: string;
  ids: string[];
}
/**
 * Lessons of the course of a game by their keys.
 */
export interface Lessons {
  kind: "lessons";
  game: string;
  ids: string[];
}
/**
 * How far everybody is with a homework of so many parts.
 */
export interface HomeworkResults {
  title: string;
  parts: number;
  results: PupilResult[];
}
/**
 * How far a member is: puzzles and lessons done, and how many of those puzzles were right the first time.
 */
export interface PupilResult {
  player: string;
  name: string;
  done: number;
  right: number;
}
/**
 * A seat to take; the first open one if none is named.
 */
export interface JoinRequest {
  seat?: number | null;
}
/**
 * A lesson of the course of a game that you have learned.
 */
export interface Lesson {
  game: string;
  lesson: string;
}
/**
 * Which links a study shall have: one that is there stays, one that is not wanted is revoked.
 */
export interface LinksRequest {
  read: boolean;
  write: boolean;
}
/**
 * A group to which you belong, with your role.
 */
export interface ListedGroup {
  id: string;
  name: string;
  kind: "class" | "club";
  role: "member" | "pupil" | "teacher";
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
  clock: NoClock | GameClock | DayClock | BankClock;
  public: boolean;
  rated: boolean;
  series: Series;
  previous: string | null;
  next: string | null;
  tournament: string | null;
  created: number;
  turn: number | null;
  outcome: OutcomeAnswer | null;
  grace: number;
  view: unknown;
}
/**
 * A study of yours in a list; times are in ms.
 */
export interface ListedStudy {
  id: string;
  name: string;
  created: number;
  changed: number;
  shared: boolean;
}
/**
 * A tournament in a list: how many take part, and the number of its round.
 */
export interface ListedTournament {
  id: string;
  created: number;
  terms: TournamentTerms;
  stage: "cancelled" | "finished" | "open" | "running";
  players: number;
  round: number;
}
/**
 * What the organiser decides before anybody enters.
 *
 * A pairing is two games with colours swapped, or a series to `wins` victories if that is more than 1. `rounds` is the
 * number of rounds of a Swiss or of tables, and of seasons of a league (0 for as many as there are players); a round
 * robin takes as many as it needs. With `appointments` players agree on a time for each pairing, within `days` days
 * from the begin of a round; a season of a league takes `days` days too. `starts` is when it begins by itself (ms),
 * `pause` the seconds between two rounds. Only members of a `group` may enter if one is named.
 */
export interface TournamentTerms {
  name: string;
  game: string;
  system: "league" | "round-robin" | "swiss" | "tables";
  clock: NoClock | GameClock | DayClock | BankClock;
  options?: {
    [k: string]: unknown;
  };
  rounds?: number;
  wins?: number;
  appointments?: boolean;
  days?: number;
  rated?: boolean;
  computer?: ComputerTerms | null;
  starts?: number | null;
  most?: number;
  late?: boolean;
  pause?: number;
  division?: number;
  group?: string | null;
}
/**
 * A new challenge, or the match if an open challenge fitted it at once; the other one is null.
 */
export interface MadeChallenge {
  challenge: ChallengeAnswer | null;
  match: MatchAnswer | null;
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
 * An account by its id and name.
 */
export interface NamedAnswer {
  id: string;
  name: string;
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
 * A challenge to be made: to an account by `name` or by id (`player`), to `followed` players, or else to anyone.
 */
export interface NewChallenge {
  game: string;
  clocks: (NoClock | GameClock | DayClock | BankClock)[];
  variants?: {
    [k: string]: unknown;
  }[];
  stake?: "casual" | "either" | "rated";
  audience?: "anyone" | "followed" | "player";
  player?: string | null;
  name?: string | null;
  seat?: number | null;
  lowest?: number | null;
  highest?: number | null;
  standing?: number;
  minutes?: number | null;
}
/**
 * The text of a file, in JSON or as text, whose chapters are added to a study.
 */
export interface NewChapters {
  text: string;
}
/**
 * New recovery codes, which are shown once.
 */
export interface NewCodes {
  recovery_codes: string[];
}
/**
 * A class or club to be made; `ends` (ms) is when everything of it is deleted.
 */
export interface NewGroup {
  name: string;
  kind: "class" | "club";
  ends?: number | null;
}
/**
 * Puzzles and lessons that a group is given to do, perhaps until a time (ms).
 */
export interface NewHomework {
  title: string;
  tasks: (PuzzleSet | Lessons)[];
  due?: number | null;
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
  clock?: NoClock | GameClock | DayClock | BankClock;
  public?: boolean;
  rated?: boolean;
  series?: number;
}
/**
 * A study to be made: an empty one with a name, or the one of a file, in JSON or as text.
 */
export interface NewStudy {
  name?: string | null;
  text?: string | null;
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
 * The last notices of a player, the newest first, and how many of them they have not seen.
 *
 * `turns` are the matches in which another person waits for the player, those with the least time left first.
 */
export interface NoticesAnswer {
  unseen: number;
  latest: ShownNotice[];
  turns: WaitingMatch[];
}
/**
 * A notice with the address of the page that it leads to.
 */
export interface ShownNotice {
  kind: "accepted" | "challenge" | "declined" | "finished" | "running-out" | "tournament" | "your-turn";
  about: string;
  game?: string;
  names?: string[];
  result?: ("drawn" | "lost" | "won") | null;
  rating?: number | null;
  change?: number | null;
  deadline?: number | null;
  step?: ("agreed" | "declined" | "over" | "proposed" | "reminder" | "round") | null;
  at: number;
  seen: boolean;
  page: string;
}
/**
 * A running match of a player: the others at the table, whether it waits for the player, and until when (ms).
 *
 * The time is that of whomever it waits for, null if it is not limited or a bot thinks. `awaited` is whether another
 * person is at the table, who waits whenever the player does not move.
 */
export interface WaitingMatch {
  match: string;
  game: string;
  names: string[];
  mine: boolean;
  deadline: number | null;
  awaited: boolean;
}
/**
 * The last notices of the player of a socket, sent when it opens and whenever they change.
 */
export interface NoticesFrame {
  type: "notices";
  unseen: number;
  latest: ShownNotice[];
  turns: WaitingMatch[];
}
/**
 * A puzzle with its solution, to be solved without the server.
 */
export interface OfflinePuzzle {
  question: PuzzleQuestion;
  solution: PuzzleSolution;
}
/**
 * A puzzle without its solution; `solved` is how your first answer ended, null if you gave none.
 */
export interface PuzzleQuestion {
  id: string;
  game: string;
  options: {
    [k: string]: unknown;
  };
  goal: "best" | "draw" | "save" | "win";
  themes: string[];
  rating: number;
  seat: number;
  step: Step;
  solved?: boolean | null;
  review?: boolean;
  day?: string | null;
}
/**
 * One state of a replay and how it was reached; what follows `outcome` is there if it was asked for.
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
 * A solution: the main line step by step, a tree that answers every reply, and what refutes the other actions.
 *
 * `certificate` is the proof that the game is saved, where it is no win.
 */
export interface PuzzleSolution {
  line: string[];
  steps: Step[];
  refutations: {
    [k: string]: string;
  }[];
  tree: {
    [k: string]: unknown;
  } | null;
  certificate: string | null;
}
/**
 * One game of a pairing: the id of its match, named before the match is made, and who sits at which seat.
 *
 * `points` are those of the seats once the game has a result.
 */
export interface PairedGame {
  match: string;
  seats: string[];
  phase?: "ended" | "forfeit" | "made" | "named";
  points?: number[] | null;
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
 * Answer with the server's time.
 */
export interface PingTournament {
  do: "ping";
  id: string;
  t?: number;
}
/**
 * What you keep about a match; `lines` are what is left of the conditional moves at the present position.
 */
export interface PlanAnswer {
  note: string;
  forced: boolean;
  lines: string[][];
}
/**
 * What changes of a plan; `lines` begin at the position of this `version`, and none drops the conditional moves.
 */
export interface PlanChange {
  note?: string | null;
  forced?: boolean | null;
  lines?: string[][] | null;
  version?: number;
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
 * A chapter, as in the schema of studies.
 */
export interface PositionsRequest {
  chapter: {
    [k: string]: unknown;
  };
}
/**
 * An account as the caller may see it.
 *
 * `since` (ms) is when it was made, null if that is not known. `statistics` are null if the player hides them from the
 * caller. `met` are the caller's results against the player, and `relation` whether the caller follows or blocks them.
 */
export interface ProfileAnswer {
  id: string;
  name: string;
  mine: boolean;
  hidden: boolean;
  since: number | null;
  ratings: RatingAnswer[];
  statistics: Statistics | null;
  met: ResultAnswer[];
  relation: ("block" | "follow") | null;
}
/**
 * What a player may hide: how the ratings went in the last year, results, and puzzles.
 */
export interface Statistics {
  days: RatingPoint[];
  results: ResultAnswer[];
  puzzles: PuzzleStanding[];
}
/**
 * A rating and its deviation at the end of a day, counted from 1970.
 */
export interface RatingPoint {
  game: string;
  pace: "blitz" | "correspondence" | "rapid" | "table";
  day: number;
  rating: number;
  deviation: number;
}
/**
 * How matches of a game ended for a player; `against` is "people", or the id of a bot such as "bot:3".
 */
export interface ResultAnswer {
  game: string;
  against: string;
  won: number;
  drawn: number;
  lost: number;
}
/**
 * How a player does with the puzzles of a game.
 */
export interface PuzzleStanding {
  game: string;
  rating: number;
  deviation: number;
  answered: number;
  solved: number;
  best: number;
}
/**
 * By action, its proven result for the seat that takes it, such as "win in 3"; unproven actions are missing.
 */
export interface ProvedAnswer {
  proved: {
    [k: string]: string;
  };
}
/**
 * How many pupils are made.
 */
export interface PupilsRequest {
  count: number;
}
/**
 * The public key with which a browser subscribes to messages of this server, in base64url.
 */
export interface PushKey {
  key: string;
}
/**
 * All actions of the solver from the position of a puzzle on.
 */
export interface PuzzleAttempt {
  actions: string[];
}
/**
 * How you do with the puzzles of a game; `due` are mistakes that come again now.
 */
export interface PuzzleProgress {
  game: string;
  rating: number;
  deviation: number;
  answered: number;
  solved: number;
  streak: number;
  best: number;
  due: number;
  puzzles: number;
  themes: string[];
}
/**
 * Verdict on an answer; `steps` show its last action and the replies. `counted` if it changed your rating.
 */
export interface PuzzleReply {
  right: boolean;
  done: boolean;
  steps: Step[];
  counted: boolean;
  progress: PuzzleProgress;
  solution?: PuzzleSolution | null;
}
/**
 * One of the best of a game at a pace; `rating` is exact in `exact`, for the request of the next ones.
 */
export interface RankedAnswer {
  player: string;
  name: string;
  rating: number;
  deviation: number;
  matches: number;
  exact: number;
}
/**
 * Reach of the server: this computer only, or also the local network, at these addresses.
 */
export interface Reach {
  local_only: boolean;
  addresses: string[];
}
/**
 * How many sockets of this study are open.
 */
export interface Readers {
  type: "here";
  count: number;
}
/**
 * A finished match in the list of a player, and by how many points it moved the player's rating, if it did.
 */
export interface RecentMatch {
  match: ListedMatch;
  change: number | null;
}
/**
 * Finished matches of a player, newest first; `before` asks for those that come next, null if there are none.
 */
export interface RecentMatches {
  matches: RecentMatch[];
  before: number | null;
}
/**
 * The name of an account, a new password, and one of its recovery codes.
 */
export interface Recovery {
  name: string;
  password: string;
  code: string;
}
/**
 * Why a request was refused; the rules of a game add their reason and its values.
 */
export interface Refusal {
  code: string;
  message: string;
  reason?: string;
  values?: {
    [k: string]: unknown;
  };
}
/**
 * A player whom you follow or block, since when.
 */
export interface RelatedAnswer {
  player: string;
  name: string;
  created: number;
}
/**
 * Whether you follow or block a player; `null` if neither.
 */
export interface RelationAnswer {
  kind: ("block" | "follow") | null;
}
/**
 * Whether to follow or to block a player.
 */
export interface RelationRequest {
  kind: "block" | "follow";
}
/**
 * The versions that the client lacks are not kept; load the study again and open another socket.
 */
export interface Reload {
  type: "reload";
  version: number;
}
/**
 * A new name.
 */
export interface Rename {
  name: string;
}
/**
 * A sequence of actions shown step by step; `dealt` is what the dealer added, if that was asked for.
 */
export interface ReplayAnswer {
  options: {
    [k: string]: unknown;
  };
  seats: number;
  steps: Step[];
  dealt?: string[];
}
/**
 * Actions to be played from a position and shown step by step.
 *
 * `seat` is who sees the steps, -2 for a spectator; with "turn" each step is seen by the seat that is to act in it.
 * With `deal` the dealer's turns that follow are dealt at random, until a seat is to act.
 */
export interface ReplayRequest {
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
  deal?: boolean;
}
/**
 * A player, why they are reported, and the match in which it happened.
 */
export interface ReportRequest {
  player: string;
  reason: "greetings" | "name" | "other" | "stalling" | "unfair";
  match?: string | null;
}
/**
 * The last decision of the loser before the loss was proved: after how many actions, and what the loser saw.
 *
 * `saves` are the actions that would have avoided what followed, none if nothing threatened yet; `taken` is what was
 * done; `threats` are how the others were about to win. In games with secrets nothing is proved: `chance` is the share
 * of the victory that the loser could still expect, from what was known then.
 */
export interface Rescue {
  ply: number;
  view: unknown;
  saves: string[];
  taken: string;
  threats: ThreatLine[];
  chance?: number | null;
}
/**
 * The rescue of a lost match; null if none is known.
 */
export interface RescueAnswer {
  rescue: Rescue | null;
}
/**
 * Assessment of another action in place of a mistake: its loss in points, and whether that passes.
 */
export interface Retry {
  action: string;
  loss: number;
  passed: boolean;
}
/**
 * The review of one record.
 *
 * `expected` has for each ply, from the first position to the last, the expected score of every seat. In games with
 * secrets a seat's score is what it could know when it last acted. `turning_points` are the plies of at
 * most three moments that decided the game at the level at which it was played; the last of them decided it.
 */
export interface Review {
  game: string;
  options: {
    [k: string]: unknown;
  };
  expected: number[][];
  actions: GradedAction[];
  seats: SeatReview[];
  turning_points: number[];
  result: Ending | null;
  nodes: number | null;
  complete: boolean;
  version?: number;
}
/**
 * How a seat did: its accuracy from 0 to 100, its mean loss in points, and how many actions have each grade.
 *
 * `hard` counts the actions that missed what was too deep for it, and `sight` is how deep it saw.
 */
export interface SeatReview {
  seat: number;
  accuracy: number | null;
  loss: number | null;
  grades: {
    [k: string]: number;
  };
  hard?: number;
  sight?: number;
}
/**
 * How far a review has come: the pass, "first", "second" or "checks", what is done of it, and the review so far.
 */
export interface ReviewStep {
  phase: string;
  done: number;
  total: number;
  review?: Review | null;
}
/**
 * A new role of a member who is no pupil.
 */
export interface RoleRequest {
  role: "member" | "teacher";
}
/**
 * One round, or one season of a league: its pairings, and who has none.
 *
 * `ends` is when its time is up, and `closed` when nothing was left to be played (ms).
 */
export interface Round {
  number: number;
  began: number;
  pairings: RoundPairing[];
  byes?: string[];
  ends?: number | null;
  divisions?: string[][];
  closed?: number | null;
}
/**
 * Players who meet in a round, in the order of the seats of the first game, and their games so far.
 */
export interface RoundPairing {
  players: string[];
  games: PairedGame[];
  division?: number;
  appointment?: Appointment | null;
}
/**
 * For each position that a chapter has more than once, turned or mirrored too, the paths that lead to it.
 */
export interface SamePositions {
  groups: string[][][];
}
/**
 * A bot to put on an open seat.
 */
export interface SeatBot {
  bot: string;
}
/**
 * What was seen: the notice about one subject, or all notices up to a time in ms.
 */
export interface SeenRequest {
  about?: string | null;
  until?: number | null;
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
 * A chapter with its id; `root` is a node as in the schema of studies.
 */
export interface SharedChapter {
  id: string;
  name: string;
  game: string;
  options: {
    [k: string]: unknown;
  };
  position: {
    [k: string]: unknown;
  } | null;
  root: {
    [k: string]: unknown;
  };
}
/**
 * A study at a version, and what you may do with it; only its owner sees the links.
 */
export interface SharedStudyAnswer {
  id: string;
  name: string;
  version: number;
  access: "read" | "write";
  mine: boolean;
  links: StudyLinks | null;
  chapters: SharedChapter[];
}
/**
 * The secrets of the links to a study, which stand in their addresses as `key`; null for a link that is not.
 */
export interface StudyLinks {
  read: string | null;
  write: string | null;
}
/**
 * The name and the password of a pupil, shown once.
 */
export interface SlipAnswer {
  id: string;
  name: string;
  password: string;
}
/**
 * An edit, with the player who sent it and the id of the command; the server's own commands have neither.
 *
 * `key` is the secret of the link that it came through, None if it needs none, and `chapter` the one that the edit
 * adds, if it was decoded before.
 */
export interface StudyCommand {
  edit:
    | AddNode
    | RemoveNode
    | PromoteNode
    | CommentNode
    | MarkNode
    | RenameChapter
    | RenameStudy
    | AddChapter
    | RemoveChapter
    | MoveChapter
    | LinksChanged
    | StudyDeleted;
  player?: string;
  id?: string;
  key?: string | null;
  chapter?: Chapter | null;
}
/**
 * One version of a study: the edit, when it was made, and who sent which command.
 *
 * `version` is its number in the journal, where older entries may be deleted; 0 in entries of 0.1.
 */
export interface StudyEntry {
  op: "entry";
  at: number;
  edit:
    | AddNode
    | RemoveNode
    | PromoteNode
    | CommentNode
    | MarkNode
    | RenameChapter
    | RenameStudy
    | AddChapter
    | RemoveChapter
    | MoveChapter
    | LinksChanged
    | StudyDeleted;
  by?: string;
  command?: string;
  version?: number;
}
/**
 * The socket is open; what follows the version that it was opened with follows, then what comes.
 */
export interface StudyOpened {
  type: "opened";
  version: number;
  access: "read" | "write";
}
/**
 * The keys of a browser, as it gives them itself.
 */
export interface SubscriptionKeys {
  p256dh: string;
  auth: string;
}
/**
 * A subscription as a browser gives it, and the language of the messages.
 */
export interface SubscriptionRequest {
  endpoint: string;
  keys: SubscriptionKeys;
  language?: "de" | "en" | "fr";
}
/**
 * Immediate wins, their defences, and the threats of others; `stakes` are what an action is about, in points.
 */
export interface Threats {
  wins: string[];
  stops: string[];
  threats: ThreatLine[];
  stakes?: {
    [k: string]: number;
  };
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
/**
 * A tournament with all its rounds.
 */
export interface TournamentAnswer {
  version: number;
  now: number;
  stage: "cancelled" | "finished" | "open" | "running";
  entrants: Entrant[];
  standings: TournamentStanding[];
  rounds: Round[];
  due: number | null;
  last: number | null;
  id: string;
  host: string;
  created: number;
  terms: TournamentTerms;
}
/**
 * How an entrant stands: place from 1, points and tie-breaks, and how many pairings were won, drawn and lost.
 *
 * Points are in parts of a game, of which FULL_POINTS are a win. At tables `won` counts first places.
 */
export interface TournamentStanding {
  entrant: string;
  place: number;
  points: number;
  won: number;
  drawn: number;
  lost: number;
  buchholz: number;
  sonneborn: number;
  direct: number;
  division?: number;
}
/**
 * The next version of a tournament; `rounds` are only those that have changed or are new.
 */
export interface TournamentChange {
  type: "change";
  version: number;
  now: number;
  stage: "cancelled" | "finished" | "open" | "running";
  entrants: Entrant[];
  standings: TournamentStanding[];
  rounds: Round[];
  due: number | null;
  last: number | null;
}
/**
 * Everything there is to know of a tournament.
 */
export interface TournamentFrame {
  type: "tournament";
  version: number;
  now: number;
  stage: "cancelled" | "finished" | "open" | "running";
  entrants: Entrant[];
  standings: TournamentStanding[];
  rounds: Round[];
  due: number | null;
  last: number | null;
  id: string;
  host: string;
  created: number;
  terms: TournamentTerms;
}
/**
 * One game of the results: where it was played, who sat at which seat, and the points of the seats.
 */
export interface TournamentResult {
  round: number;
  board: number;
  division: number;
  game: PairedGame;
}
/**
 * The results of a tournament: the order of its tie-breaks, its standings and all games with a result.
 */
export interface TournamentResults {
  id: string;
  name: string;
  stage: "cancelled" | "finished" | "open" | "running";
  full_points: number;
  order: string[];
  entrants: Entrant[];
  standings: TournamentStanding[];
  games: TournamentResult[];
}
/**
 * Your vacation: milliseconds left, and until when it lasts at most if it has begun.
 */
export interface VacationAnswer {
  left: number;
  until: number | null;
}
/**
 * Whether your vacation begins or ends.
 */
export interface VacationChange {
  on: boolean;
}
