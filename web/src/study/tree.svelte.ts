// The variations of a chapter and the node that is shown. What was played is never lost: another action opens a branch.
import {
  chain,
  edited,
  emptyChapter,
  lineFrom,
  nodeAt,
  readChapter,
  type Branch,
  type Chapter,
  type Edit,
  type Path,
  type TreeNode,
} from "./chapter";

export * from "./chapter";

/** Actions from the root to a node, as studies on the server have them at most. */
export const LONGEST_LINE = 400;

/** How many removals can be taken back. */
const MOST_UNDONE = 50;

export class VariationTree {
  /** Replaced by another document with each edit. */
  chapter = $state.raw<Chapter>(emptyChapter(""));
  /** The node that is shown. */
  path = $state.raw<Path>([]);
  /** Whether an action was not added because the line is as long as lines may be. */
  full = $state(false);
  #undone = $state.raw<{ chapter: Chapter; path: Path }[]>([]);
  /** By node, which child was visited last: forward leads there again. */
  #visited = new Map<string, string>();

  constructor(
    chapter: Chapter,
    path: Path = [],
    /** Called with each edit made here, after it. */
    readonly onEdit?: (edit: Edit) => void,
  ) {
    this.open(chapter, path);
  }

  /** Shows another chapter; a path that leads out of it is followed as far as it goes. */
  open(chapter: Chapter, path: Path = []): void {
    this.chapter = chapter;
    this.#undone = [];
    this.#visited.clear();
    this.go(path);
  }

  /** Shows the chapter as somebody else has changed it; whoever looks at a removed node is taken to the one before it. */
  update(chapter: Chapter): void {
    this.chapter = chapter;
    this.go(this.path);
  }

  get node(): TreeNode {
    return nodeAt(this.chapter.root, this.path) ?? this.chapter.root;
  }

  /** The actions of the line through the shown node, to its end. */
  get line(): string[] {
    let path: Path = this.path;
    for (let next = this.#next(path); next !== undefined; next = this.#next(path)) path = [...path, next];
    return [...path];
  }

  /** What else was played in the place of the shown node; with it, in their order. */
  get siblings(): Branch[] {
    return nodeAt(this.chapter.root, this.path.slice(0, -1))?.children ?? [];
  }

  get canUndo(): boolean {
    return this.#undone.length > 0;
  }

  // Where one is.

  go(path: Path): void {
    let reached = path;
    while (!nodeAt(this.chapter.root, reached)) reached = reached.slice(0, -1);
    reached.forEach((action, depth) => this.#visited.set(key(reached.slice(0, depth)), action));
    this.path = reached;
    this.full = false;
  }

  back = (): void => this.go(this.path.slice(0, -1));

  forward = (): void => {
    const next = this.#next(this.path);
    if (next !== undefined) this.go([...this.path, next]);
  };

  first = (): void => this.go([]);
  last = (): void => this.go(this.line);

  /** The variation `by` places further in the list of those that begin here. */
  sibling(by: number): void {
    const actions = this.siblings.map((child) => child.action);
    const at = actions.indexOf(this.path.at(-1) ?? "");
    const to = actions[at + by];
    if (at >= 0 && to !== undefined) this.go([...this.path.slice(0, -1), to]);
  }

  #next(path: Path): string | undefined {
    const children = nodeAt(this.chapter.root, path)?.children ?? [];
    const visited = this.#visited.get(key(path));
    return (children.find((child) => child.action === visited) ?? children[0])?.action;
  }

  // What changes the tree.

  /** Goes on with an action: along a variation that begins with it, else along a new one. */
  play(action: string): void {
    const path = [...this.path, action];
    const known = nodeAt(this.chapter.root, path) !== undefined;
    if (!known && path.length > LONGEST_LINE) {
      this.full = true;
      return;
    }
    if (!known) this.#edit({ op: "add", path });
    this.go(path);
  }

  /** Makes the line through a node the main line, from the root on. */
  promote(path: Path = this.path): void {
    for (let depth = path.length; depth > 0; depth -= 1) {
      const upper = path.slice(0, depth);
      if (nodeAt(this.chapter.root, upper.slice(0, -1))?.children[0]?.action !== upper.at(-1))
        this.#edit({ op: "promote", path: upper });
    }
  }

  /** Removes a node with all that follows; `undo` brings it back. */
  remove(path: Path = this.path): void {
    if (path.length === 0 || !nodeAt(this.chapter.root, path)) return;
    this.#undone = [...this.#undone.slice(1 - MOST_UNDONE), { chapter: this.chapter, path: this.path }];
    this.#edit({ op: "remove", path });
    this.go(this.path);
  }

  /** Brings back what was removed last, and keeps what was played since. */
  undo = (): void => {
    const before = this.#undone.at(-1);
    if (!before) return;
    this.#undone = this.#undone.slice(0, -1);
    for (const edit of missing(before.chapter.root, this.chapter.root)) this.#edit(edit);
    this.go(before.path);
  };

  comment(text: string, path: Path = this.path): void {
    this.#edit({ op: "comment", path, text });
  }

  mark(marks: TreeNode["marks"], path: Path = this.path): void {
    this.#edit({ op: "mark", path, marks: marks ?? [] });
  }

  #edit(edit: Edit): void {
    this.chapter = edited(this.chapter, edit);
    this.onEdit?.(edit);
  }
}

const key = (path: Path): string => JSON.stringify(path);

/** The edits that add all nodes of one tree which another one lacks. */
function missing(wanted: TreeNode, present: TreeNode | undefined, path: Path = []): Edit[] {
  const edits: Edit[] = [];
  if (!present) {
    edits.push({ op: "add", path });
    if (wanted.comment) edits.push({ op: "comment", path, text: wanted.comment });
    if (wanted.marks) edits.push({ op: "mark", path, marks: wanted.marks });
  }
  for (const child of wanted.children) {
    const same = present?.children.find(({ action }) => action === child.action);
    edits.push(...missing(child, same, [...path, child.action]));
  }
  const first = wanted.children[0]?.action;
  if (present && first !== undefined && !present.children.some(({ action }) => action === first))
    edits.push({ op: "promote", path: [...path, first] });
  return edits;
}

// A chapter in the browser's storage, by a name.

const STORAGE_PREFIX = "kemu.chapter.";

/** More are not kept; the oldest are forgotten. */
const MOST_KEPT = 40;

/** A chapter with the node that is shown. */
export interface Shown {
  chapter: Chapter;
  path: Path;
  /** The names of the players of a record. */
  players?: string[];
}

export interface Kept extends Required<Shown> {
  name: string;
  /** When, in milliseconds since 1970. */
  saved: number;
}

/** A name under which nothing is kept. */
export function newName(): string {
  return crypto.getRandomValues(new Uint32Array(2)).reduce((name, part) => name + part.toString(36), "");
}

/** Keeps a chapter; without storage it lasts until the page is left. */
export function keep(name: string, { chapter, path, players = [] }: Shown): void {
  try {
    localStorage.setItem(STORAGE_PREFIX + name, JSON.stringify({ chapter, path, players, saved: Date.now() }));
    for (const { name } of keptChapters().slice(MOST_KEPT)) localStorage.removeItem(STORAGE_PREFIX + name);
  } catch {
    // The storage is full or forbidden.
  }
}

/** What was kept under a name; undefined if nothing was, or nothing that can be read. */
export function kept(name: string): Kept | undefined {
  try {
    const found = JSON.parse(localStorage.getItem(STORAGE_PREFIX + name) ?? "") as Record<keyof Kept, unknown>;
    const texts = (list: unknown): string[] => (list as unknown[]).map(String);
    const chapter = readChapter(found.chapter);
    return { name, chapter, path: texts(found.path), players: texts(found.players ?? []), saved: Number(found.saved) };
  } catch {
    return undefined;
  }
}

/** All that is kept, the newest first. */
export function keptChapters(): Kept[] {
  const names = Object.keys(localStorage).filter((key) => key.startsWith(STORAGE_PREFIX));
  return names
    .flatMap((key) => kept(key.slice(STORAGE_PREFIX.length)) ?? [])
    .sort((one, other) => other.saved - one.saved);
}

// A chapter in an address.

/** The chapter as the fragment of an address, without "#". */
export function toFragment({ chapter, path }: Shown): string {
  return encodeURIComponent(JSON.stringify({ ...chapter, path }));
}

/** The chapter of a fragment, or of a document such as a record: a game with a tree or with a list of actions. */
export function fromText(text: string): Required<Shown> {
  const found = JSON.parse(text) as Record<string, unknown>;
  const actions = Array.isArray(found["actions"]) ? found["actions"].map(String) : undefined;
  const chapter = readChapter(found["root"] === undefined ? { ...found, root: chain(actions ?? []) } : found);
  const path = Array.isArray(found["path"]) ? found["path"].map(String) : lineFrom(chapter.root, []);
  return { chapter, path, players: Array.isArray(found["players"]) ? found["players"].map(String) : [] };
}
