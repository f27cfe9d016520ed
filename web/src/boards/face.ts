// What the rest of the client knows of a game: how it is drawn, told and taught. No rules.
import type { Component } from "svelte";
import type { Sound } from "../sound";
import type { Result, Standing, Step } from "../wire/types";

export interface Marks {
  /** Show where one may act. */
  legal: boolean;
  /** An action the server suggests. */
  suggested: string | null;
  /** Actions that win at once, and those that stop the other from it. */
  wins: string[];
  stops: string[];
}

export const NO_MARKS: Marks = { legal: false, suggested: null, wins: [], stops: [] };

export interface BoardProps {
  view: unknown;
  /** Through whose eyes; -2 watches. */
  seat: number;
  options: Record<string, unknown>;
  /** What the server allows us now; empty if it is not our turn. */
  actions: string[];
  /** Our action on its way to the server: drawn already. */
  pending: string | null;
  /** The newest line of the log. */
  last: [actor: number, text: string] | null;
  outcome: Result | null;
  names: string[];
  marks: Marks;
  /** Hides what only one of several people at this screen may see. */
  covered?: boolean;
  series?: Standing;
  act?: (action: string) => void;
}

/** One choice in the form for a new match. */
export interface Choice {
  /** The option of the game. */
  option: string;
  values: (string | number | boolean)[];
}

export interface Lesson {
  /** Names its texts in the catalogue: learn.<game>.<key>.title, .text, .right. */
  key: string;
  options?: Record<string, unknown>;
  position?: Record<string, unknown>;
  /** The seat of the learner, 0 unless told. */
  seat?: number;
  /** What the dealer and the others do, in turn, whenever it is not the learner's turn. */
  replies?: string[];
  /** Whether the learner has done it, judged by what the server shows after each action of his. */
  done(after: Step, before: Step): boolean;
  /** An action that does it, shown on request. */
  answer: string[];
}

export interface Section {
  /** Names its texts in the catalogue: rules.<game>.<key>.title, .text. */
  key: string;
  /** A picture of the board. */
  view?: unknown;
  options?: Record<string, unknown>;
  outcome?: Result;
  seat?: number;
}

export interface Face {
  Board: Component<BoardProps>;
  /** What lies beside the board. */
  Box?: Component<BoardProps>;
  /** What an action sounds like. */
  sound: Sound;
  /** Whether seats have secrets, so that people at one screen must hand it over. */
  secret: boolean;
  choices: Choice[];
  /** The seats that sit down by default; MAUW takes more. */
  seatName(seat: number): string;
  /** A line of the log in words. */
  say(line: string, actor: number, name: (seat: number) => string): string;
  course: Lesson[];
  sections: Section[];
  /** What stands for the game in a list of games, if not its board. */
  Emblem?: Component;
  /** A position for pictures. */
  picture: { view: unknown; options: Record<string, unknown>; seat?: number };
}

const faces: Record<string, () => Promise<{ face: Face }>> = {
  "moeraki-kemu": () => import("./moeraki-kemu/face"),
  "mu-torere": () => import("./mu-torere/face"),
  mauw: () => import("./mauw/face"),
};

export const GAMES = Object.keys(faces);

/** How a game is shown, loaded when it is first needed. */
export async function faceOf(game: string): Promise<Face | undefined> {
  return (await faces[game]?.())?.face;
}
