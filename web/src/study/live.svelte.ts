// One study as its server has it, and the edits made here that are not saved yet: they are shown at once, kept in the
// browser, and sent again until they are answered.
import { errorMessage } from "../errors";
import * as api from "../wire/api";
import { LiveSocket, newId, type Connection } from "../wire/socket";
import type { AnyEdit, SharedStudyAnswer, StudyFrame, StudyLinks } from "../wire/types";
import { applied, readStudy, type SharedStudy } from "./shared";

interface Pending {
  id: string;
  edit: AnyEdit;
}

const STORAGE_PREFIX = "kemu.study.";

export class LiveStudy {
  connection = $state<Connection>("opening");
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
  /** Whether the whole study is to be loaded before the socket is opened. */
  #outdated = true;
  #socket: LiveSocket<StudyFrame, Pending>;
  #shown = $derived(this.#pending.reduce<SharedStudy | undefined>(shownAfter, this.#saved));

  constructor(
    readonly id: string,
    /** The secret of the link that it was opened with; empty for one's own studies. */
    readonly key: string,
  ) {
    this.#pending = read(id);
    this.#socket = new LiveSocket({
      address: () => this.#address(),
      ready: ({ type }) => type === "opened",
      answered: (frame) => ("re" in frame ? frame.re : undefined),
      frameReceived: (frame) => this.#received(frame),
      connectionChanged: (connection) => (this.connection = connection),
    });
    for (const message of this.#pending) void this.#socket.send(message);
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
    const message = { id: newId(), edit };
    this.#setPending([...this.#pending, message]);
    void this.#socket.send(message);
  }

  async setLinks(wanted: { read: boolean; write: boolean }): Promise<void> {
    this.links = await api.setStudyLinks(this.id, wanted);
  }

  close(): void {
    this.#socket.close();
  }

  async #address(): Promise<string | undefined> {
    try {
      if (this.#outdated) this.#take(await api.openStudy(this.id, this.key));
      return `/api/studies/${this.id}/socket?${api.query({ after: this.#version, key: this.key || undefined })}`;
    } catch (error) {
      if (!(error instanceof api.RequestError && error.code === "unknown-study")) return undefined;
      this.close();
      [this.connection, this.refused] = ["closed", errorMessage(error)];
      return undefined;
    }
  }

  #take(answer: SharedStudyAnswer): void {
    this.#saved = readStudy(answer.name, answer.chapters);
    [this.#version, this.#outdated] = [answer.version, false];
    [this.access, this.mine, this.links] = [answer.access, answer.mine, answer.links];
  }

  #received(frame: StudyFrame): void {
    switch (frame.type) {
      case "opened":
        this.access = frame.access;
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
        this.refused = errorMessage(new api.RequestError(frame));
        if (frame.re) this.#answered(frame.re);
        break;
      case "reload":
        this.#reload();
    }
  }

  #edited(frame: StudyFrame & { type: "edit" }): void {
    if (frame.re) this.#answered(frame.re);
    if (frame.version <= this.#version) return;
    if (frame.version > this.#version + 1 || !this.#saved) {
      this.#reload();
      return;
    }
    this.#version = frame.version;
    const { edit } = frame;
    if (edit.op !== "links" && edit.op !== "deleted") this.#saved = applied(this.#saved, edit);
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
    this.#outdated = true;
    this.#socket.reopen();
  }
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
