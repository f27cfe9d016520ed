// Moving the focus over the places of a board as over a grid.

export interface Place {
  key: string;
  x: number;
  y: number;
}

/** Rows in the order in which a screen reader reads them: from the top, each from the left. */
export function rows<P extends Place>(places: P[]): P[][] {
  const sorted = [...places].sort((a, b) => a.y - b.y || a.x - b.x);
  const found: P[][] = [];
  for (const place of sorted) {
    const row = found.at(-1);
    if (row?.[0] && Math.abs(row[0].y - place.y) < 0.5) row.push(place);
    else found.push([place]);
  }
  return found.map((row) => row.sort((a, b) => a.x - b.x));
}

/** The place that a key leads to; up and down keep to the column in which the movement began, as in a text editor. */
export function towards<P extends Place>(grid: P[][], from: string, key: string, column: number): P | undefined {
  const line = grid.findIndex((row) => row.some((place) => place.key === from));
  const row = grid[line];
  if (!row) return undefined;
  const index = row.findIndex((place) => place.key === from);
  switch (key) {
    case "ArrowRight":
      return row[index + 1];
    case "ArrowLeft":
      return row[index - 1];
    case "ArrowUp":
      return nearest(grid[line - 1], column);
    case "ArrowDown":
      return nearest(grid[line + 1], column);
    case "Home":
      return row[0];
    case "End":
      return row.at(-1);
    default:
      return undefined;
  }
}

function nearest<P extends Place>(row: P[] | undefined, column: number): P | undefined {
  return row?.reduce((best, place) => (Math.abs(place.x - column) < Math.abs(best.x - column) ? place : best));
}
