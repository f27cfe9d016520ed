// Signs of our own, drawn in a square of about 12 by 12 round the middle.

/** Matau, the hook. */
export const HOOK =
  "M-3.4 -4.6L-3.4 0.6A4 4 0 0 0 4.6 0.8L4.6 -1.6L2.2 0.4M-4.9 -4.6A1.5 1.5 0 1 1 -1.9 -4.6A1.5 1.5 0 1 1 -4.9 -4.6";

/** Manaia, the bird. */
export const BIRD =
  "M-5.6 4.2C-5 -1.4 -1.4 -5 2.6 -4.4C5 -4 5.4 -2 4.6 -0.8L6 0.6L3 0.6C2.4 2.8 0.4 4.4 -2 4.2C-0.8 3 -0.6 1.6 -1.6 0.4M2.6 -2.4A0.5 0.5 0 1 1 2.6 -2.3";

/** A koru, the unrolling fern. */
export const KORU =
  "M6 5C-1 8 -7 4 -6.4 -1.4C-6 -6 0 -8 3 -4.6C5.4 -1.8 3.6 2 0.6 1.8C-1.8 1.6 -2.6 -1 -1 -2.2C0 -3 1.4 -2.4 1.4 -1.2";

/** The cave in which a Tane waits. */
export const CAVE = "M-11 10C-12 -4 -6 -11 0 -11C6 -11 12 -4 11 10Z";
