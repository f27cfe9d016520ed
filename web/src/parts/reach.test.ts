import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const fetched = vi.fn<(path: string) => Promise<Response>>();

async function reachableAt(url: string, answer?: { local_only: boolean; addresses: string[] }): Promise<unknown> {
  vi.resetModules();
  fetched.mockImplementation(() => Promise.resolve(Response.json(answer ?? {}, { status: answer ? 200 : 503 })));
  const { reachable } = await import("./reach");
  const { hostname, origin } = new URL(url);
  return reachable({ hostname, origin });
}

beforeEach(() => {
  vi.stubGlobal("fetch", fetched);
});
afterEach(() => {
  fetched.mockReset();
  vi.unstubAllGlobals();
});

describe("a link", () => {
  it("of a server on loopback can be opened on this computer only", async () => {
    const answer = { local_only: true, addresses: [] };
    for (const origin of ["http://localhost:8000", "http://127.0.0.1:8000", "http://[::1]:8000"])
      expect(await reachableAt(origin, answer)).toEqual({ origin, by: "computer" });
    expect(await reachableAt("http://localhost:8000")).toEqual({ origin: "http://localhost:8000", by: "computer" });
  });

  it("of a server for the network has its address there instead of localhost", async () => {
    const answer = { local_only: false, addresses: ["http://192.168.1.20:8000"] };
    expect(await reachableAt("http://localhost:8000", answer)).toEqual({
      origin: "http://192.168.1.20:8000",
      by: "network",
    });
  });

  it("of a page that came by another name stays as it is, and nothing is asked", async () => {
    for (const origin of ["http://192.168.1.20:8000", "http://10.0.0.7", "http://laptop.local:8000"])
      expect(await reachableAt(origin)).toEqual({ origin, by: "network" });
    for (const origin of ["https://play.example.org", "http://172.32.0.1", "http://11.0.0.1"])
      expect(await reachableAt(origin)).toEqual({ origin, by: "all" });
    expect(fetched).not.toHaveBeenCalled();
  });
});
