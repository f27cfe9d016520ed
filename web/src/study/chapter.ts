// The document of a chapter: a position and the variations that were played from it. Documents never change; an edit
// makes a new one that shares what has stayed the same.

/** A cell, or an arrow between two. */
export type Mark = { cell: string } | { from: string; to: string };

export interface TreeNode {
  comment?: string;
  marks?: Mark[];
  /** What was played from here; the first is the main line, and no action is there twice. */
  children: Branch[];
}

export interface Branch extends TreeNode {
  action: string;
}

export interface Chapter {
  name: string;
  game: string;
  options: Record<string, unknown>;
  /** Where the tree begins; null is the start of the game. */
  position: Record<string, unknown> | null;
  root: TreeNode;
}

/** The actions from the root to a node. */
export type Path = readonly string[];

/** A change of a chapter. `path` leads to the node that is changed; that of `add` leads to the new node. */
export type Edit =
  | { op: "add"; path: Path }
  | { op: "remove"; path: Path }
  /** Makes the node the first of its siblings. */
  | { op: "promote"; path: Path }
  | { op: "comment"; path: Path; text: string }
  /** Replaces all marks of the node. */
  | { op: "mark"; path: Path; marks: Mark[] };

export function emptyChapter(game: string, options: Record<string, unknown> = {}, position?: unknown): Chapter {
  return {
    name: "",
    game,
    options,
    position: (position as Chapter["position"] | undefined) ?? null,
    root: { children: [] },
  };
}

/** The node at the end of a path, undefined if there is none. */
export function nodeAt(root: TreeNode, path: Path): TreeNode | undefined {
  let node: TreeNode | undefined = root;
  for (const action of path) node = node?.children.find((child) => child.action === action);
  return node;
}

/** The path on to the end of the line, by first children. */
export function lineFrom(root: TreeNode, path: Path): string[] {
  const line = [...path];
  let node = nodeAt(root, path);
  while (node?.children[0]) {
    node = node.children[0];
    line.push((node as Branch).action);
  }
  return line;
}

/** The chapter after an edit; an edit of a node that is not there changes nothing. */
export function edited(chapter: Chapter, edit: Edit): Chapter {
  const { path } = edit;
  const last = path.at(-1);
  switch (edit.op) {
    case "comment":
      return withNode(chapter, path, (node) => {
        const { comment: _, ...rest } = node;
        return edit.text ? { ...rest, comment: edit.text } : rest;
      });
    case "mark":
      return withNode(chapter, path, (node) => {
        const { marks: _, ...rest } = node;
        return edit.marks.length ? { ...rest, marks: edit.marks } : rest;
      });
  }
  if (last === undefined) return chapter;
  return withNode(chapter, path.slice(0, -1), (node) => {
    const found = node.children.find((child) => child.action === last);
    const others = node.children.filter((child) => child !== found);
    if (edit.op === "add") return found ? node : { ...node, children: [...others, { action: last, children: [] }] };
    if (!found) return node;
    return { ...node, children: edit.op === "remove" ? others : [found, ...others] };
  });
}

type Change = <N extends TreeNode>(node: N) => N;

function withNode(chapter: Chapter, path: Path, change: (node: TreeNode) => TreeNode): Chapter {
  const root = changed(chapter.root, path, change as Change);
  return root === chapter.root ? chapter : { ...chapter, root };
}

function changed<N extends TreeNode>(node: N, [action, ...rest]: Path, change: Change): N {
  if (action === undefined) return change(node);
  const at = node.children.findIndex((child) => child.action === action);
  const child = node.children[at];
  if (!child) return node;
  const after = changed(child, rest, change);
  return after === child ? node : { ...node, children: node.children.with(at, after) };
}

/** A tree with one line. */
export function chain(actions: Path): TreeNode {
  let children: Branch[] = [];
  for (const action of actions.toReversed()) children = [{ action, children }];
  return { children };
}

/** A chapter from what somebody else wrote, or an error: only its shape is checked, its actions are the server's. */
export function readChapter(document: unknown): Chapter {
  const { name, game, options, position, root } = object(document);
  if (typeof game !== "string") throw new TypeError("A chapter names its game.");
  return {
    name: typeof name === "string" ? name : "",
    game,
    options: options === undefined ? {} : object(options),
    position: position === undefined || position === null ? null : object(position),
    root: readNode(root),
  };
}

function readNode(document: unknown): TreeNode {
  const { comment, marks, children } = object(document);
  const node: TreeNode = { children: [] };
  if (typeof comment === "string" && comment) node.comment = comment;
  if (Array.isArray(marks) && marks.length) node.marks = marks.map(readMark);
  for (const each of Array.isArray(children) ? (children as unknown[]) : []) {
    const { action } = object(each);
    if (typeof action !== "string") throw new TypeError("A variation begins with an action.");
    if (!node.children.some((child) => child.action === action)) node.children.push({ action, ...readNode(each) });
  }
  return node;
}

function readMark(document: unknown): Mark {
  const { cell, from, to } = object(document);
  if (typeof cell === "string") return { cell };
  if (typeof from === "string" && typeof to === "string") return { from, to };
  throw new TypeError("A mark is a cell or an arrow.");
}

function object(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new TypeError("This is no chapter.");
  return value as Record<string, unknown>;
}
