// What the visitor was told and which matches wait for them, live over the socket that the page has open anyway; a page
// without one opens a socket for this alone.
import { announce } from "../announce.svelte";
import * as api from "../wire/api";
import { LiveSocket, pageSockets, type PageFrame } from "../wire/socket";
import type { ShownNotice, WaitingMatch } from "../wire/types";
import { sentence } from "./sentence";

interface Notices {
  unseen: number;
  latest: ShownNotice[];
  turns: WaitingMatch[];
  /** Whether the server has told them. */
  known: boolean;
  /** How often the lists of challenges have changed; who shows them asks for them again. */
  challenges: number;
}

export const notices = $state<Notices>({
  challenges: 0,
  unseen: 0,
  latest: [],
  turns: [],
  known: false,
});

// From the start on: the first page may open its socket before it is known who the visitor is.
pageSockets.received = received;

let own: LiveSocket<PageFrame, { id: string }> | undefined;
let player: string | undefined;

/** Shows the notices of a player from now on, instead of those of whoever the visitor was before. */
export function listen(to: string): void {
  if (player === to) return;
  player = to;
  pageSockets.changed = choose;
  Object.assign(notices, { unseen: 0, latest: [], turns: [], known: false });
  own?.close();
  own = undefined;
  choose();
}

/** Notes that everything shown was seen. */
export function seeAll(): void {
  const until = notices.latest[0]?.at;
  if (until === undefined || !notices.unseen) return;
  api.noticesSeen({ until }).catch(() => undefined);
}

/** Notes that what a page is about was seen. */
export function seePage(path: string): void {
  for (const notice of notices.latest)
    if (!notice.seen && notice.page === path) api.noticesSeen({ about: notice.about }).catch(() => undefined);
}

function received(frame: PageFrame): void {
  if (frame.type === "challenges") {
    notices.challenges += 1;
    return;
  }
  if (frame.type === "met") {
    pageSockets.met?.(frame);
    return;
  }
  const before = new Set(notices.latest.map(key));
  const fresh = notices.known ? frame.latest.filter((notice) => !notice.seen && !before.has(key(notice))) : [];
  Object.assign(notices, { unseen: frame.unseen, latest: frame.latest, turns: frame.turns, known: true });
  if (fresh.length) announce(fresh.map(sentence).join(" "));
}

const key = ({ about, at }: ShownNotice): string => `${about} ${at}`;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Keeps a socket of its own open exactly while the page has no other; between two pages there is a moment with none. */
function choose(): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    const others = pageSockets.count - (own ? 1 : 0);
    if (others && own) {
      own.close();
      own = undefined;
    } else if (!others) {
      own ??= new LiveSocket<PageFrame, { id: string }>({
        address: () => "/api/notices/socket",
        answered: () => undefined,
        frameReceived: () => undefined,
        connectionChanged: () => undefined,
      });
    }
  });
}
