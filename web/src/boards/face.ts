// What the client needs to know of a game: how it is drawn, described and taught. No rules.
import type { Component } from "svelte";
import type { Values } from "../language/language.svelte";
import { gameAnswer } from "../session.svelte";
import type { Sound } from "../sound";
import type { Tone } from "../study/score";
import * as api from "../wire/api";
import type { GameAnswer, MatchAnswer, OutcomeAnswer, Prediction, Rescue, Step, ThreatLine } from "../wire/types";

export type { Rescue, ThreatLine };

export interface Marks {
  /** Show where one may act. */
  legal: boolean;
  /** An action the server suggests. */
  suggested: string | null;
  /** Actions that win at once, and those that keep the other from winning. */
  wins: string[];
  stops: string[];
  /** Lines of the opponent, drawn with what is missing. */
  threats: ThreatLine[];
  /** Places that belong together, by their names. */
  pairs?: [string, string][];
  /** What an engine says of some actions, the best one first. */
  ranked?: RankedAction[];
  /** By place, whose it will probably be: 1 seat 0's, -1 seat 1's. */
  owners?: Record<string, number>;
}

/** An action with a short sign, such as "64" for the score to expect or "+5" for a win in five. */
export interface RankedAction {
  action: string;
  sign: string;
  tone: Tone;
}

export const NO_MARKS: Marks = { legal: false, suggested: null, wins: [], stops: [], threats: [] };

export interface BoardProps {
  /** Of the type that `view.ts` of the game has. */
  view: unknown;
  /** The view drawn in text and the actions in words; sent only if there is no board of the game's own. */
  text?: string;
  words?: string[];
  /** The seat the view belongs to; -2 is a spectator. */
  seat: number;
  options: Record<string, unknown>;
  /** What this seat may do now; empty if it is not its turn. */
  actions: string[];
  /** An action on its way to the server: drawn already. */
  pending: string | null;
  /** The newest line of the log. */
  last: [actor: number, text: string] | null;
  /** All lines that led from the view before to this one, while a match is followed live. */
  recent?: [actor: number, text: string][];
  outcome: OutcomeAnswer | null;
  /** The seat whose player is shown below the board, 0 if not said. */
  below?: number;
  /** The name of who sits at a seat. */
  name: (seat: number) => string;
  /** Who that is, if the name does not tell: the level of a bot. */
  about?: (seat: number) => string;
  marks: Marks;
  /** Hides what only one of several people at this screen may see. */
  covered?: boolean;
  /** How the series stands, what its length is called, and the lengths that have a name. */
  series?: MatchAnswer["series"] & { name?: string; lengths: GameAnswer["series"] };
  act?: (action: string) => void;
  /** Called with an action that was chosen and is not offered; resolves with why not, in a sentence, or with "". */
  refuse?: (action: string) => Promise<string>;
  /** Shows the actions that are held back; there while some are. */
  skip?: () => void;
  /** Called with what to do now, where an action takes several steps; with "" where it does not. */
  tell?: (step: string) => void;
  /** Where a question about the board is put; below the board without one. */
  dock?: HTMLElement;
}

/** What the seat to act sees and may do. */
export interface Situation {
  view: unknown;
  seat: number;
  actions: string[];
  options: Record<string, unknown>;
}

/** A match against a bot on the way from the first one to the strongest. */
export interface Stage {
  options: Record<string, unknown>;
  bot: string;
}

/** What sets up a position. */
export interface EditorProps {
  /** A position document. */
  position: Record<string, unknown>;
  options: Record<string, unknown>;
  /** Called with the changed document. */
  change: (position: Record<string, unknown>) => void;
}

/** What is hidden from some seats, for those who may see everything. */
export interface OpenProps {
  position: Record<string, unknown>;
  name: (seat: number) => string;
}

/** What one seat has beside the board. */
export interface StripProps {
  view: unknown;
  options: Record<string, unknown>;
  /** Whose strip it is. */
  seat: number;
}

/** One choice in the form for a new match. */
export interface Choice {
  /** The option of the game. */
  option: string;
  values: (string | number | boolean)[];
  /** Only beside these values of other options. */
  when?: Record<string, unknown[]>;
}

/** Lines of a log that are told together. */
export interface LogEntry {
  /** The number of the last of these lines, counted from 1. */
  last: number;
  text: string;
}

export interface Lesson {
  /** Names its texts in the catalogue: learn.<game>.<key>.title, .text, .right. */
  key: string;
  options?: Record<string, unknown>;
  position?: Record<string, unknown>;
  /** The seat of the learner, 0 by default. */
  seat?: number;
  /** What the dealer and the others do, in turn, whenever it is not the learner's turn. */
  replies?: string[];
  /** Whether the learner has solved it, judged by what the server shows after each of the learner's actions. */
  done(after: Step, before: Step): boolean;
  /** Actions that solve it, shown on request. */
  answer: string[];
  /** Places that belong together, shown on the board. */
  pairs?: [string, string][];
}

export interface Section {
  /** Names its texts in the catalogue: rules.<game>.<key>.title, .text. */
  key: string;
  /** A picture of the board. */
  view?: unknown;
  options?: Record<string, unknown>;
  outcome?: OutcomeAnswer;
  seat?: number;
  /** An action that the picture shows as a suggestion. */
  suggested?: string;
}

export interface Face {
  Board: Component<BoardProps>;
  /** How the match page shows the players: two above and below the board, or not, if the board shows them; by default all in a list. */
  players?: "strips" | "board";
  /** Whether the board says what to do now; the page then tells what was done before. */
  asks?: boolean;
  /** What marks the pieces of a seat, beside its player's name. */
  Piece?: Component<{ seat: number }>;
  /** The sign of the variant that options choose. */
  Sign?: Component<{ options: Record<string, unknown> }>;
  /** What a seat has, beside its player's name. */
  Strip?: Component<StripProps>;
  /** What is shown beside the board. */
  Box?: Component<BoardProps>;
  /** What the winner of a series is given. */
  Trophy?: Component;
  /** "square": as high as wide and fitted to the window; "wide": the width of the page, as high as needed. */
  layout: "square" | "wide";
  /** A CSS length to keep free below a square board, for what belongs to it and is not square. */
  below?: string;
  /** Sets up a position; without one, its document is edited. */
  loadEditor?(): Promise<Component<EditorProps>>;
  /** All hidden things of a position, for the analysis board. */
  Open?: Component<OpenProps>;
  /** How a game is expected to end. */
  Prediction?: Component<{ prediction: Prediction; name: (seat: number) => string }>;
  /** How likely each kind of card is drawn next. */
  Odds?: Component<{ odds: Record<string, number> }>;
  /** The sound of an action. */
  sound: Sound;
  choices: Choice[];
  /** A view of a finished game, without what only the log shows to be too much; the last line of the log is `last`. */
  settled?(view: unknown, outcome: OutcomeAnswer | null, last: BoardProps["last"]): unknown;
  seatName(seat: number): string;
  /** A line of the log in words. */
  describe(line: string, actor: number, name: (seat: number) => string): string;
  /** All lines of the log in words, those that belong together as one; without it each line stands for itself. */
  entries?(log: readonly (readonly [actor: number, line: string])[], name: (seat: number) => string): LogEntry[];
  /** The name of a bot at a seat; without it a bot is called by its level. */
  botName?(seat: number): string;
  /** Whether an action that is the only one needs no click where nobody but bots waits. */
  forced?(action: string): boolean;
  /** What the seat to act can do now, in a sentence. */
  prompt?(situation: Situation): string;
  /** What a refusal of the rules names, in words for its sentence in the catalogue: illegal.<game>.<reason>. */
  refusalWords?(values: Record<string, unknown>): Values;
  /** A suggested action in a sentence: what to do and where, without notation. */
  suggestion?(action: string, situation: Situation, name: (seat: number) => string): string;
  /** A threat in a sentence; `name` is that of the opponent. */
  threatened?(threat: ThreatLine, name: string): string;
  /** The place on the board that is marked for an action, by its name. */
  place?(action: string): string;
  /** What a suggested action is about, in sentences; `stakes` are points by name. */
  because?(stakes: Record<string, number>, name: (seat: number) => string): string;
  /** How a lost match could have been saved, in a sentence; `opponent` is the name of who won, `seat` has lost. */
  rescued?(rescue: Rescue, opponent: string, seat: number, name: (seat: number) => string): string;
  /** The matches proposed one after the other, from the first one on. */
  stages?: Stage[];
  /** The ways to win as pictures with a sentence each, for the card of a match, the rules and the course. */
  Goals?: Component<{ options: Record<string, unknown> }>;
  course: Lesson[];
  sections: Section[];
  /** What stands for the game in a list of games, if not its board. */
  Emblem?: Component<{ text?: string }>;
  /** The background of the picture in a list of games, and the width of the picture in it. */
  thumbnail?: { background: string; width?: string };
  /** A position for pictures. */
  picture: { view: unknown; options: Record<string, unknown>; seat?: number; text?: string };
}

// A game's folder is named after its key.
const faces = import.meta.glob<{ face: Face }>(["./*/face.ts", "!./generic/face.ts"]);
const file = (game: string): string => `./${game}/face.ts`;

/** Whether a game has a board of its own; others are shown by their text drawing. */
export function hasFace(game: string): boolean {
  return file(game) in faces;
}

/** How a game with these options is shown, loaded when it is first needed; undefined for an unknown game. */
export async function faceOf(game: string, options?: Record<string, unknown>): Promise<Face | undefined> {
  const load = faces[file(game)];
  if (load) return (await load()).face;
  const answer = options ? await api.game(game, options) : gameAnswer(game);
  return answer && (await import("./generic/face")).genericFace(answer);
}
