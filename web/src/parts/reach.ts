// Who can open a link to this server.
import * as api from "../wire/api";
import type { Reach } from "../wire/types";

/** The address with which links begin, and who can open them. */
export interface Reachable {
  origin: string;
  by: "computer" | "network" | "all";
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
const PRIVATE = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|\[f[cde])|\.local$/;

let asked: Promise<Reach> | undefined;

/** Asks the server only if the page came by a name that means another computer to everybody else. */
export async function reachable({ hostname, origin }: Pick<Location, "hostname" | "origin">): Promise<Reachable> {
  if (!LOOPBACK.test(hostname)) return { origin, by: PRIVATE.test(hostname) ? "network" : "all" };
  asked ??= api.reach();
  const { addresses } = await asked.catch((): Reach => ({ local_only: true, addresses: [] }));
  const [address] = addresses;
  return address ? { origin: address, by: "network" } : { origin, by: "computer" };
}
