// One study as its server has it, and the edits made here that are not saved yet: they are shown at once, kept in the
// browser, and sent again until they are answered.
import { errorMessage } from "../errors";
import * as api from "../wire/api";
import type { AnyEdit, SharedStudyAnswer, StudyFrame, StudyLinks } from "../wire/types";
import { applied, readStudy, type SharedStudy } from "./shared";

export type StudyConnection = "opening" | "open" | "lost" | "closed";

interface Pending {
  id: string;
  edit: AnyEdit;
}

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 5_000;
/** Close codes after which another attempt is of no use. */
const FINAL_CODES = new Set([4400, 4401, 4403, 4404]);
const STORAGE_PREFIX = "kemu.study.";

export class LiveStudy {
  connection = $state<StudyConnection>("opening");
  access = $state<"read" | "write">("read");
  mine = $state(false);
  links = $state.raw<StudyLinks | null>(null);
  /** How many have this study open. */
  here = $state(1);
  /** Why the study cannot be shown, or the last edit was not done. */
  refused = $state("");
  #saved = $state.raw<SharedStudy>();
  #pending = $state.raw<Pending[]>([]);
  #version = 0;
  #socket: WebSocket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #retryMs = FIRST_RETRY_MS;
  #closed = false;
  #shown = $derived(this.#pending.reduce<SharedStudy | undefined>(shownAfter, this.#saved));

  constructor(
    readonly id: string,
    /** The secret of the link that it was opened with; empty for one's own studies. */
    readonly key: string,
  ) {
    this.#pending = read(id);
    void this.#load();
    addEventListener("online", this.#retryNow);
    document.addEventListener("visibilitychange", this.#retryNow);
  }

  /** The study with the edits that are not saved yet. */
  get study(): SharedStudy | undefined {
    return this.#shown;
  }

  /** Whether everything is saved. */
  get saved(): boolean {
    return this.#pending.length === 0;
  }

  edit(edit: AnyEdit): void {
    const id = crypto.getRandomValues(new Uint32Array(2)).join("-");
    this.#setPending([...this.#pending, { id, edit }]);
    if (this.connection === "open") this.#socket?.send(JSON.stringify({ id, edit }));
  }

  async setLinks(wanted: { read: boolean; write: boolean }): Promise<void> {
    this.links = await api.setStudyLinks(this.id, wanted);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    removeEventListener("online", this.#retryNow);
    document.removeEventListener("visibilitychange", this.#retryNow);
    this.#socket?.close();
  }

  async #load(): Promise<void> {
    try {
      this.#take(await api.openStudy(this.id, this.key));
      this.#open();
    } catch (error) {
      if (error instanceof api.RequestError && error.code === "unknown-study") {
        this.connection = "closed";
        this.refused = errorMessage(error);
      } else this.#retry();
    }
  }

  #take(answer: SharedStudyAnswer): void {
    this.#saved = readStudy(answer.name, answer.chapters);
    this.#version = answer.version;
    [this.access, this.mine, this.links] = [answer.access, answer.mine, answer.links];
  }

  #open(): void {
    if (this.#closed) return;
    const address = new URL(`/api/studies/${this.id}/socket`, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    address.searchParams.set("after", String(this.#version));
    if (this.key) address.searchParams.set("key", this.key);
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onmessage = (event) => {
      if (socket === this.#socket) this.#received(JSON.parse(event.data as string) as StudyFrame);
    };
    socket.onclose = (event) => {
      if (this.#closed || socket !== this.#socket) return;
      if (FINAL_CODES.has(event.code)) this.connection = "closed";
      else this.#retry();
    };
  }

  #received(frame: StudyFrame): void {
    switch (frame.type) {
      case "opened":
        [this.connection, this.access, this.#retryMs] = ["open", frame.access, FIRST_RETRY_MS];
        for (const message of this.#pending) this.#socket?.send(JSON.stringify(message));
        break;
      case "edit":
        this.#edited(frame);
        break;
      case "here":
        this.here = frame.count;
        break;
      case "done":
        this.#answered(frame.re);
        break;
      case "refused":
        this.refused = errorMessage(new api.RequestError(frame.code, frame.message));
        if (frame.re) this.#answered(frame.re);
        break;
      case "reload":
        this.#reload();
    }
  }

  #edited(frame: StudyFrame & { type: "edit" }): void {
    if (frame.version <= this.#version) return;
    if (frame.version > this.#version + 1 || !this.#saved) {
      this.#reload();
      return;
    }
    this.#version = frame.version;
    const { edit } = frame;
    if (edit.op !== "links" && edit.op !== "deleted") this.#saved = applied(this.#saved, edit);
    if (frame.re) this.#answered(frame.re);
  }

  #answered(id: string): void {
    this.#setPending(this.#pending.filter((each) => each.id !== id));
  }

  #setPending(pending: Pending[]): void {
    this.#pending = pending;
    try {
      if (pending.length) localStorage.setItem(STORAGE_PREFIX + this.id, JSON.stringify(pending));
      else localStorage.removeItem(STORAGE_PREFIX + this.id);
    } catch {
      // The storage is full or forbidden: a reload loses what is not saved yet.
    }
  }

  /** Loads the whole study again, and opens another socket. */
  #reload(): void {
    const old = this.#socket;
    this.#socket = undefined;
    old?.close();
    void this.#load();
  }

  #retry(): void {
    this.connection = "lost";
    this.#timer = setTimeout(() => (this.#saved ? this.#open() : void this.#load()), this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
  }

  /** The network or the page is back: connect at once. */
  #retryNow = (): void => {
    if (this.#closed || document.hidden || this.connection !== "lost") return;
    clearTimeout(this.#timer);
    if (this.#saved) this.#open();
    else void this.#load();
  };
}

function shownAfter(study: SharedStudy | undefined, { edit }: Pending): SharedStudy | undefined {
  return study && applied(study, edit);
}

function read(id: string): Pending[] {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_PREFIX + id) ?? "[]") as Pending[];
  } catch {
    return [];
  }
}
