// The lattice of Moeraki-Kemu as a drawing: hollows on the crossings, areas between them.
import type { StandingTane } from "./view";

export interface Point {
  name: string;
  x: number;
  y: number;
}

export interface Area extends Point {
  /** The corners that exist: four of a beach, three of a semi-beach. */
  corners: Point[];
}

/** A stone and whose it is. */
export interface Tribe extends Point {
  tribe: number;
}

export type Looks = StandingTane["looks"];

/** The distance of two neighbouring columns. */
export const UNIT = 20;
/** Half of the side of the board. */
export const RIM = 114;
/** The radius of a stone. */
export const STONE = 9.6;
export const STEPS: Record<Looks, [number, number]> = { ne: [1, -1], nw: [-1, -1], se: [1, 1], sw: [-1, 1] };

const REACH = 5;
const span = Array.from({ length: 2 * REACH + 1 }, (_, index) => index - REACH);
const hollow = (x: number, y: number): boolean => (x - y) % 2 === 0 && Math.abs(x) + Math.abs(y) <= 8 && inside(x, y);
const inside = (x: number, y: number): boolean => Math.abs(x) <= REACH && Math.abs(y) <= REACH;

/** A point by its name; columns a…k, rows 1…11 from below. */
export function point(name: string): Point {
  const x = name.charCodeAt(0) - 97 - REACH;
  const y = Number(name.slice(1)) - 1 - REACH;
  return { name, x: x * UNIT, y: -y * UNIT };
}

const nameOf = (x: number, y: number): string => `${String.fromCharCode(97 + REACH + x)}${y + REACH + 1}`;

const grid = span.flatMap((y) => span.map((x) => [x, y] as const));

export const HOLLOWS: Point[] = grid.filter(([x, y]) => hollow(x, y)).map(([x, y]) => point(nameOf(x, y)));

export const MOERAKI: Point[] = grid
  .filter(([x, y]) => hollow(x, y) && Math.abs(x) + Math.abs(y) <= 2)
  .map(([x, y]) => point(nameOf(x, y)));

/** The hollows of the eye, an option of the rules. */
export const EYE: Point[] = ["f8", "d6", "h6", "f4"].map(point);

export const AREAS: Area[] = grid
  .filter(([x, y]) => (x - y) % 2 !== 0)
  .map(([x, y]) => {
    const beside = [
      [x, y + 1],
      [x + 1, y],
      [x, y - 1],
      [x - 1, y],
    ] as const;
    const corners = beside.filter(([cx, cy]) => hollow(cx, cy)).map(([cx, cy]) => point(nameOf(cx, cy)));
    return { ...point(nameOf(x, y)), corners };
  })
  .filter((area) => area.corners.length >= 3);

const AREA = new Map(AREAS.map((area) => [area.name, area]));

export function area(name: string): Area {
  return AREA.get(name) ?? { ...point(name), corners: [] };
}

/** The lines of the lattice, from rim to rim. */
export const LINES: [Point, Point][] = [1, -1].flatMap((slope) =>
  [-8, -6, -4, -2, 0, 2, 4, 6, 8].map((offset): [Point, Point] => {
    const on = grid.filter(([x, y]) => hollow(x, y) && x - slope * y === offset).map(([x, y]) => point(nameOf(x, y)));
    return [on[0]!, on.at(-1)!];
  }),
);

/** The middle of an area: of its corners, so that a triangle has its own. */
export function middle(of: Area): { x: number; y: number } {
  const sum = of.corners.reduce((total, corner) => ({ x: total.x + corner.x, y: total.y + corner.y }), { x: 0, y: 0 });
  return { x: sum.x / of.corners.length, y: sum.y / of.corners.length };
}

/** The outline of an area, drawn in from its corners. */
export function outline(of: Area, part: number): string {
  const centre = middle(of);
  const corners = of.corners.map(({ x, y }) => {
    const [px, py] = [centre.x + (x - centre.x) * part, centre.y + (y - centre.y) * part];
    return `${px.toFixed(2)} ${py.toFixed(2)}`;
  });
  return `M${corners.join("L")}Z`;
}

/** The Tane that an action places, if it places one. */
export function placed(action: string | null): StandingTane | null {
  return action?.startsWith("T") ? { at: action.slice(1, -2), looks: action.slice(-2) as Looks } : null;
}

/** The line through the stones that won, or the ring round a beach or the eye. */
export function winning(stones: Point[], reason: string): string {
  if (stones.length < 2) return "";
  const round = reason === "tahuna" || reason === "eye";
  const x = stones.reduce((sum, stone) => sum + stone.x, 0) / stones.length;
  const y = stones.reduce((sum, stone) => sum + stone.y, 0) / stones.length;
  const turn = (stone: Point): number => Math.atan2(stone.y - y, stone.x - x);
  const sorted = [...stones].sort(round ? (a, b) => turn(a) - turn(b) : (a, b) => a.x - b.x || a.y - b.y);
  return `M${sorted.map((stone) => `${stone.x} ${stone.y}`).join("L")}${round ? "Z" : ""}`;
}
