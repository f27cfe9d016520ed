// The star of Mū tōrere as a drawing: where its points lie and which man is which.

export interface Spot {
  x: number;
  y: number;
}

export interface Man extends Spot {
  id: number;
  point: number;
  side: "B" | "W";
}

export const ARM = 82;

/** Kewai 1…n clockwise from the top round the pūtahi, 0. */
export function spot(point: number, arms: number, radius = ARM): Spot {
  if (point === 0) return { x: 0, y: 0 };
  const angle = (2 * Math.PI * (point - 1)) / arms;
  return { x: round(radius * Math.sin(angle)), y: round(-radius * Math.cos(angle)) };
}

/** The way of a man as a path: along the ring between two kewai, straight to or from the pūtahi. */
export function way(from: number, to: number, arms: number, [begin, end]: [number, number] = [0, 1]): string {
  if (from === 0 || to === 0) {
    const [start, stop] = [spot(from, arms), spot(to, arms)];
    const part = (share: number): string =>
      `${round(start.x + (stop.x - start.x) * share)} ${round(start.y + (stop.y - start.y) * share)}`;
    return `M${part(begin)}L${part(end)}`;
  }
  // Kewai 1 and the last one are neighbours, so a way back by one is a way forward by all but one.
  const forward = (to - from + arms) % arms === 1;
  // Counted on by one round, for point 0 is not on the ring.
  const part = (share: number): string => {
    const { x, y } = spot(from + arms + (forward ? share : -share), arms);
    return `${x} ${y}`;
  };
  return `M${part(begin)}A${ARM} ${ARM} 0 0 ${forward ? 1 : 0} ${part(end)}`;
}

/** What stands on a point: B, W or "."; the pūtahi is written last. */
export function at(points: string, point: number): string {
  return points[(point + points.length - 1) % points.length] ?? ".";
}

/** The points after a man has gone a way the server has still to confirm. */
export function moved(points: string, action: string | null): string {
  const [from, to] = action?.split("-").map(Number) ?? [];
  if (from === undefined || to === undefined) return points;
  const places = [...points];
  const index = (point: number): number => (point + places.length - 1) % places.length;
  [places[index(from)], places[index(to)]] = [places[index(to)] ?? ".", places[index(from)] ?? "."];
  return places.join("");
}

/** The men of a position, each the same as before as far as it can be, so that the one who moved is seen to move. */
export function followed(before: Man[], points: string): Man[] {
  const arms = points.length - 1;
  const places = Array.from({ length: points.length }, (_, point) => ({ point, side: at(points, point) }));
  const standing = places.filter((place): place is { point: number; side: "B" | "W" } => place.side !== ".");
  const stays = (man: Man): boolean => standing.some((place) => place.point === man.point && place.side === man.side);
  const movers = before.filter((man) => !stays(man));
  let fresh = before.reduce((most, man) => Math.max(most, man.id), 0);
  return standing
    .map(({ point, side }) => {
      const old =
        before.find((man) => man.point === point && man.side === side) ??
        movers.splice(0, movers.length).reduce<Man | undefined>((found, man) => {
          if (!found && man.side === side) return man;
          movers.push(man);
          return found;
        }, undefined);
      return { id: old?.id ?? (fresh += 1), point, side, ...spot(point, arms) };
    })
    .sort((a, b) => a.id - b.id);
}

/** The outline of the star: long arms with waists between them. */
export function outline(arms: number, radius: number, waist: number): string {
  const parts = Array.from({ length: arms }, (_, arm) => {
    const tip = spot(arm + 1, arms, radius);
    const angle = (2 * Math.PI * (arm + 0.5)) / arms;
    const dip = { x: round(waist * Math.sin(angle)), y: round(-waist * Math.cos(angle)) };
    return `${arm ? "L" : "M"}${tip.x} ${tip.y}L${dip.x} ${dip.y}`;
  });
  return `${parts.join("")}Z`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
