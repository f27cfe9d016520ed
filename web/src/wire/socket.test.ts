import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CLOSED, LiveSocket, type Connection, type Listener } from "./socket";
import { FakeSocket } from "./testing";

interface Frame {
  type: string;
  re?: string;
}
interface Command {
  id: string;
}

let heard: (Connection | Frame)[];
let socket: LiveSocket<Frame, Command>;
const server = (): FakeSocket => FakeSocket.all.at(-1)!;
const opened = (changes: Partial<Listener<Frame>> = {}): LiveSocket<Frame, Command> =>
  (socket = new LiveSocket({
    address: () => "/api/thing?after=1",
    ready: ({ type }) => type === "opened",
    answered: ({ re }) => re,
    frameReceived: (frame) => heard.push(frame),
    connectionChanged: (connection) => heard.push(connection),
    ...changes,
  }));

beforeEach(() => {
  [heard, FakeSocket.all] = [[], []];
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.useFakeTimers();
});
afterEach(() => {
  socket.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a live socket", () => {
  it("sends a command once the server is ready, and resolves with its answer", async () => {
    const answer = opened().send({ id: "a" });
    expect([server().address.protocol, server().address.search, server().sent]).toEqual(["ws:", "?after=1", []]);
    server().receive({ type: "opened" });
    expect(server().sent).toEqual([{ id: "a" }]);
    server().receive({ type: "done", re: "a" });
    expect(await answer).toEqual({ type: "done", re: "a" });
    expect(heard).toEqual([{ type: "opened" }, "open", { type: "done", re: "a" }]);
  });

  it("needs no frame to be ready where the server sends none", () => {
    void opened({ ready: undefined }).send({ id: "a" });
    server().onopen?.();
    expect(server().sent).toEqual([{ id: "a" }]);
  });

  it("sends again with the same id what was not answered, and nothing else", () => {
    opened();
    for (const id of ["a", "b", "c"]) void socket.send({ id });
    server().receive({ type: "opened" });
    server().receive({ type: "done", re: "a" });
    socket.forget("c");
    server().close(1006);
    vi.advanceTimersByTime(250);
    expect(server().sent).toEqual([]);
    server().receive({ type: "opened" });
    expect(server().sent).toEqual([{ id: "b" }]);
  });

  it("waits longer after each failure, and not at all when the network is back", () => {
    opened();
    for (const pause of [250, 500, 1000, 2000, 4000, 5000, 5000]) {
      const before = FakeSocket.all.length;
      server().close(1006);
      vi.advanceTimersByTime(pause - 1);
      expect(FakeSocket.all.length).toBe(before);
      vi.advanceTimersByTime(1);
      expect(FakeSocket.all.length).toBe(before + 1);
    }
    server().close(1006);
    const before = FakeSocket.all.length;
    dispatchEvent(new Event("online"));
    dispatchEvent(new Event("online"));
    expect(FakeSocket.all.length).toBe(before + 1);
    server().receive({ type: "opened" });
    server().close(1006);
    vi.advanceTimersByTime(250);
    expect(FakeSocket.all.length).toBe(before + 2);
  });

  it.each(Object.values(CLOSED))("does not come back after %i", (code) => {
    opened();
    server().close(code);
    vi.advanceTimersByTime(60_000);
    dispatchEvent(new Event("online"));
    expect([FakeSocket.all.length, heard]).toEqual([1, ["closed"]]);
  });

  it("tries again where its address cannot be had", async () => {
    let reachable = false;
    opened({ address: () => Promise.resolve(reachable ? "/api/thing" : undefined) });
    await vi.advanceTimersByTimeAsync(0);
    expect([FakeSocket.all.length, heard]).toEqual([0, ["lost"]]);
    reachable = true;
    await vi.advanceTimersByTimeAsync(250);
    expect(FakeSocket.all.length).toBe(1);
  });
});
