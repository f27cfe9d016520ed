// Written by web/scripts/wire.py; do not edit.

/**
 * View of a seat or a spectator.
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
