// The HTTP part of docs/protocol.md.
import type {
  GameAnswer,
  Hint,
  MatchAnswer,
  Me,
  NewMatch,
  PlayerAnswer,
  Refusal,
  Study,
  StudyAnswer,
  Threats,
} from "./types";

/** A refusal of the server: a stable code and a sentence in English. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Refused("offline", "The server cannot be reached.");
  }
  if (response.status === 204) return undefined as T;
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer as T;
  const refusal = answer as Partial<Refusal> | null;
  throw new Refused(refusal?.code ?? "internal", refusal?.message ?? response.statusText);
}

const query = (values: Record<string, unknown>): string =>
  new URLSearchParams(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  ).toString();

export const games = () => ask<GameAnswer[]>("GET", "/api/games");
export const me = () => ask<Me>("GET", "/api/me");
export const rename = (name: string) => ask<Me>("PATCH", "/api/me", { name });
export const signUp = (name: string, password: string) => ask<Me>("POST", "/api/account", { name, password });
export const signIn = (name: string, password: string) => ask<Me>("POST", "/api/session", { name, password });
export const signOut = () => ask<void>("DELETE", "/api/session");
export const player = (id: string) => ask<PlayerAnswer>("GET", `/api/players/${id}`);

/** A game with other options than the default ones. */
export const game = (key: string, options: Record<string, unknown> = {}) => {
  const asked = Object.fromEntries(Object.entries(options).map(([name, value]) => [name, JSON.stringify(value)]));
  return ask<GameAnswer>("GET", `/api/games/${key}?${query(asked)}`);
};

export const matches = (show: "lobby" | "mine" | "live" | "finished", filter: { game?: string; limit?: number } = {}) =>
  ask<MatchAnswer[]>("GET", `/api/matches?${query({ show, ...filter })}`);
export const match = (id: string) => ask<MatchAnswer>("GET", `/api/matches/${id}`);
export const create = (wish: NewMatch) => ask<MatchAnswer>("POST", "/api/matches", wish);
export const join = (id: string, seat?: number) => ask<MatchAnswer>("POST", `/api/matches/${id}/join`, { seat });
export const leave = (id: string) => ask<MatchAnswer>("POST", `/api/matches/${id}/leave`);
export const seatBot = (id: string, seat: number, bot: string) =>
  ask<MatchAnswer>("PUT", `/api/matches/${id}/seats/${seat}`, { bot });
export const hint = (id: string) => ask<Hint>("POST", `/api/matches/${id}/hint`);
export const record = (id: string) => ask<Record<string, unknown>>("GET", `/api/matches/${id}/record`);
export const study = (wish: Study) => ask<StudyAnswer>("POST", "/api/study", wish);
export const replay = (id: string, seat: number) =>
  ask<StudyAnswer>("GET", `/api/matches/${id}/study?${query({ seat })}`);
export const threats = (id: string) => ask<Threats>("GET", `/api/matches/${id}/threats`);
