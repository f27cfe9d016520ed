import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeSocket } from "../wire/testing";
import type { EventFrame, FullFrame, MatchAnswer } from "../wire/types";
import { LiveMatch } from "./live.svelte";

const GAME = Object.keys(import.meta.glob("../boards/*/course.ts"))[0]!.split("/")[2]!;

const match = (changes: Partial<MatchAnswer> = {}): MatchAnswer => ({
  id: "m",
  game: GAME,
  options: {},
  status: "open",
  seats: [{ kind: "open" }, { kind: "open" }],
  mine: [],
  clock: { kind: "none" },
  public: false,
  rated: false,
  series: { to: 1, game: 1, wins: [0, 0] },
  previous: null,
  next: null,
  tournament: null,
  created: 0,
  turn: null,
  outcome: null,
  grace: 60_000,
  ...changes,
});
const full = (version: number, seat: number, changes: Partial<FullFrame> = {}): FullFrame => ({
  type: "full",
  version,
  seat,
  now: 0,
  match: match(),
  view: null,
  turn: null,
  ...changes,
});
const event = (version: number, changes: Partial<EventFrame> = {}): EventFrame => ({
  type: "event",
  version,
  now: 0,
  events: [],
  view: null,
  turn: 0,
  ...changes,
});

let live: LiveMatch;
const socket = (): FakeSocket => FakeSocket.all.at(-1)!;
const query = (): string => socket().address.search;

beforeEach(() => {
  FakeSocket.all = [];
  vi.stubGlobal("WebSocket", FakeSocket);
  live = new LiveMatch("m");
});
afterEach(() => {
  live.close();
  vi.unstubAllGlobals();
});

describe("a live match", () => {
  it("applies events in order, with the match if it changed", () => {
    socket().receive(full(1, 0));
    socket().receive(event(2, { match: match({ status: "running" }), events: [{ event: "started" }] }));
    socket().receive(event(3, { events: [{ event: "acted", seat: 0, line: "x" }] }));
    expect([live.version, live.match?.status, live.log]).toEqual([3, "running", [[0, "x"]]]);
    socket().receive(event(4, { events: [{ event: "undone", seat: 0, plies: 1 }] }));
    expect(live.log).toEqual([]);
    expect(socket().sent).toEqual([]);
  });

  it("asks for a full frame once after a gap, and not for what it has already", () => {
    socket().receive(full(1, 0));
    socket().receive(event(1));
    expect(socket().sent).toEqual([]);
    socket().receive(event(3));
    socket().receive(event(4));
    expect(socket().sent.map((command) => command["do"])).toEqual(["full"]);
    expect(live.version).toBe(1);
    socket().receive(full(4, 0));
    socket().receive(event(6));
    expect(socket().sent).toHaveLength(2);
  });

  it("knows who has refused an offer of one's own, and not who has withdrawn another", () => {
    const offered = (version: number, seat: number): void => {
      socket().receive(
        event(version, { events: [{ event: "offered", seat, what: "draw" }], offers: [{ seat, what: "draw" }] }),
      );
    };
    const declined = { event: "declined", seat: 1, what: "draw" } as const;
    socket().receive(full(1, 0, { match: match({ mine: [0] }) }));
    offered(2, 0);
    socket().receive(event(3, { events: [declined] }));
    expect(live.declined).toEqual(declined);
    offered(4, 1);
    expect(live.declined).toBeUndefined();
    socket().receive(event(5, { events: [declined] }));
    expect(live.declined).toBeUndefined();
  });

  it("takes a seat when the server sends a full frame for it", () => {
    socket().receive(full(1, -2));
    socket().receive(full(2, 1, { match: match({ mine: [1] }), turn: 1 }));
    expect([live.seat, live.myTurn, live.match?.mine]).toEqual([1, true, [1]]);
    expect(FakeSocket.all).toHaveLength(1);
  });

  it("sends what was not answered again after a lost connection, with seat and version", async () => {
    vi.useFakeTimers();
    socket().receive(full(5, 1));
    const done = live.act("x");
    const [command] = socket().sent;
    socket().close(1006);
    expect(live.connection).toBe("lost");
    vi.runOnlyPendingTimers();
    expect(query()).toBe("?seat=1&after=5");
    socket().receive({ type: "resumed", version: 5, now: 0 });
    expect(live.connection).toBe("open");
    expect(socket().sent).toEqual([command]);
    socket().receive(event(6, { re: command!["id"] as string }));
    expect(await done).toBe(true);
    expect(live.pending).toBeNull();
    vi.useRealTimers();
  });

  it("comes back as a spectator if the seat was lost meanwhile", () => {
    socket().receive(full(5, 1));
    socket().close(4403);
    expect([query(), live.closeCode]).toEqual(["", undefined]);
    socket().receive(full(6, -2));
    expect([live.seat, live.version]).toEqual([-2, 6]);
  });

  it.each([4401, 4404])("says why it is closed for good: %i", (code) => {
    socket().close(code);
    expect([live.connection, live.closeCode]).toEqual(["closed", code]);
  });

  it("asks for the text drawing of a game without a board of its own", () => {
    socket().receive(full(1, 0, { match: match({ game: "nim" }) }));
    expect([query(), live.match]).toEqual(["?text=1", undefined]);
    socket().receive(full(1, 0, { match: match({ game: "nim" }), text: "o o", words: ["take one"], actions: ["1"] }));
    expect([live.text, live.words, live.actions, FakeSocket.all.length]).toEqual(["o o", ["take one"], ["1"], 2]);
    socket().receive(event(2, { text: "o" }));
    expect([live.text, live.words]).toEqual(["o", []]);
  });

  it("keeps the reason of a refused command", async () => {
    socket().receive(full(1, 0));
    const done = live.act("x");
    socket().receive({ type: "refused", code: "illegal-action", message: "No.", re: socket().sent[0]!["id"] });
    expect(await done).toBe(false);
    expect([live.error?.code, live.pending]).toEqual(["illegal-action", null]);
  });
});
