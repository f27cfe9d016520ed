// Written by web/scripts/wire.py; do not edit.

/**
 * The view of a seat; `seat` and `hand` are null for a spectator.
 */
export interface View {
  discards: {
    [k: string]: number;
  };
  drawer?: number;
  end: ("limit" | "no-cards" | "three-columns") | null;
  hand: ("1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "m" | "s")[] | null;
  hands: number[];
  pile: number;
  scores: number[];
  seat: number | null;
  step: StepDocument | null;
  to_act: number | null;
  turn: number;
  turns: number;
  worths: number[][];
  zones: ColumnDocument[][];
}
/**
 * Where inside a turn a game stands; STEP_FIELDS says which fields a step has.
 */
export interface StepDocument {
  answer?: "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "m" | "s";
  attacks?: number;
  name: "deal" | "defend" | "draw" | "parry" | "press" | "put" | "refill" | "take";
  play?: string;
  top?:
    | (
        | "1"
        | "2"
        | "3"
        | "4"
        | "5"
        | "6"
        | "7"
        | "8"
        | "m=1"
        | "m=2"
        | "m=3"
        | "m=4"
        | "m=5"
        | "m=6"
        | "m=7"
        | "m=8"
        | "m=s"
        | "s"
      )
    | null;
}
/**
 * A column in documents and views: the number of its Mauw and the face on top, null if there is none.
 */
export interface ColumnDocument {
  mauw: number;
  top:
    | (
        | "1"
        | "2"
        | "3"
        | "4"
        | "5"
        | "6"
        | "7"
        | "8"
        | "m=1"
        | "m=2"
        | "m=3"
        | "m=4"
        | "m=5"
        | "m=6"
        | "m=7"
        | "m=8"
        | "m=s"
        | "s"
      )
    | null;
}
