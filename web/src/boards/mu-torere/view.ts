// Written by web/scripts/wire.py; do not edit.

/**
 * What a seat or a spectator sees.
 */
export interface View {
  occurrences: number;
  position: PositionDocument;
}
/**
 * The position document, without the positions before.
 */
export interface PositionDocument {
  ply?: number;
  points: string;
  turn: 0 | 1;
}
