import type { BoardProps } from "../face";
import { area } from "./lattice";
import type { View } from "./view";

/** The view after an early win, without the tiles around the stone that won: it brings none. */
export function settled(view: unknown, outcome: BoardProps["outcome"], last: BoardProps["last"]): View {
  const shown = view as View;
  const stone = last?.[1] ?? "";
  if (!shown.scores || !outcome?.at.includes(stone)) return shown;
  const tiles = shown.tiles.filter(({ at }) => !area(at).corners.some(({ name }) => name === stone));
  const points = (tribe: number): string => {
    const halves = tiles.reduce((sum, tile) => sum + (tile.tribe !== tribe ? 0 : tile.worth === "1" ? 2 : 1), 0);
    return halves % 2 ? `${halves}/2` : `${halves / 2}`;
  };
  return { ...shown, tiles, scores: [points(0), points(1)] };
}
