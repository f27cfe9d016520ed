// Written by web/scripts/wire.py; do not edit.

/**
 * View of a seat or a spectator.
 */
export interface View {
  asked: Asked | null;
  barred: string[];
  position: PositionDocument;
  scores: [string, string] | null;
  sees: [string[] | null, string[] | null];
  tiles: LyingTile[];
}
/**
 * The seat that may place its Tane, and the areas where it may stand.
 */
export interface Asked {
  areas: string[];
  seat: 0 | 1;
  sees: {
    [k: string]: string[];
  };
}
/**
 * The position document.
 */
export interface PositionDocument {
  ball: string | null;
  step?: StepDocument;
  stones: [string[], string[]];
  tane: [StandingTane | null, StandingTane | null];
  turn: 0 | 1;
}
/**
 * Why somebody is asked for the Tane.
 */
export interface StepDocument {
  stone: string;
}
/**
 * A Tane on the board.
 */
export interface StandingTane {
  at: string;
  looks: "ne" | "nw" | "se" | "sw";
}
/**
 * A tile on the board.
 */
export interface LyingTile {
  at: string;
  tribe: 0 | 1;
  worth: "1" | "1/2";
}
