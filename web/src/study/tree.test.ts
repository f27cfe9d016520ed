import { beforeEach, describe, expect, it } from "vitest";
import {
  chain,
  edited,
  emptyChapter,
  fromText,
  keep,
  kept,
  keptChapters,
  LONGEST_LINE,
  toFragment,
  VariationTree,
  type Edit,
  type TreeNode,
} from "./tree.svelte";

const START = emptyChapter("mu-torere", { flank: "always" });
/** The tree without comments: each node as action(children). */
const drawn = (node: TreeNode): string =>
  node.children.map((child) => child.action + (child.children.length ? `(${drawn(child)})` : "")).join(" ");

function played(...actions: string[]): VariationTree {
  const tree = new VariationTree(START);
  for (const action of actions) tree.play(action);
  return tree;
}

describe("a variation", () => {
  it("is opened by going back and playing otherwise, and nothing is deleted", () => {
    const tree = played("a", "b", "c");
    tree.go(["a"]);
    tree.play("x");
    tree.play("y");
    expect(drawn(tree.chapter.root)).toBe("a(b(c) x(y))");
    expect(tree.path).toEqual(["a", "x", "y"]);
  });

  it("that is there already is entered again", () => {
    const tree = played("a", "b");
    tree.first();
    tree.play("a");
    expect(drawn(tree.chapter.root)).toBe("a(b)");
    expect(tree.path).toEqual(["a"]);
  });

  it("that was left last is followed by going forward", () => {
    const tree = played("a", "b", "c");
    tree.go(["a"]);
    tree.play("x");
    tree.first();
    tree.forward();
    tree.forward();
    expect(tree.path).toEqual(["a", "x"]);
    tree.sibling(-1);
    expect(tree.path).toEqual(["a", "b"]);
    tree.last();
    expect(tree.path).toEqual(["a", "b", "c"]);
    tree.first();
    tree.last();
    expect(tree.path).toEqual(["a", "b", "c"]);
  });

  it("has no neighbour beyond the first and the last", () => {
    const tree = played("a");
    tree.sibling(1);
    tree.sibling(-1);
    expect(tree.path).toEqual(["a"]);
    tree.first();
    tree.sibling(1);
    expect(tree.path).toEqual([]);
  });

  it("becomes the main line from the root on", () => {
    const tree = played("a", "b");
    tree.first();
    for (const action of ["p", "q"]) tree.play(action);
    tree.go(["p"]);
    tree.play("r");
    tree.promote();
    expect(drawn(tree.chapter.root)).toBe("p(r q) a(b)");
    expect(tree.path).toEqual(["p", "r"]);
  });
});

describe("a removal", () => {
  it("takes the node with all that follows, and shows what came before", () => {
    const tree = played("a", "b", "c");
    tree.remove(["a", "b"]);
    expect(drawn(tree.chapter.root)).toBe("a");
    expect(tree.path).toEqual(["a"]);
  });

  it("is undone in its place, with comments and marks, and keeps what was played since", () => {
    const tree = played("a", "b");
    tree.comment("why");
    tree.mark([{ cell: "f6" }]);
    tree.go(["a"]);
    tree.play("x");
    tree.remove(["a", "b"]);
    tree.go([]);
    tree.play("z");
    tree.undo();
    expect(drawn(tree.chapter.root)).toBe("a(b x) z");
    const back = tree.chapter.root.children[0]!.children[0]!;
    expect([back.comment, back.marks]).toEqual(["why", [{ cell: "f6" }]]);
    expect(tree.path).toEqual(["a", "x"]);
    expect(tree.canUndo).toBe(false);
  });

  it("of the root is refused", () => {
    const tree = played("a");
    tree.remove([]);
    expect(drawn(tree.chapter.root)).toBe("a");
    expect(tree.canUndo).toBe(false);
  });
});

describe("edits", () => {
  it("made here are told, and lead elsewhere to the same document", () => {
    const edits: Edit[] = [];
    const tree = new VariationTree(START, [], (edit) => edits.push(edit));
    for (const action of ["a", "b"]) tree.play(action);
    tree.go(["a"]);
    tree.play("x");
    tree.comment("good");
    tree.promote();
    tree.remove(["a", "b"]);
    tree.undo();
    const other = edits.reduce(edited, START);
    expect(other).toEqual(tree.chapter);
    expect(edits.length).toBeGreaterThan(5);
  });

  it("of somebody else keep what is shown, as far as it is still there", () => {
    const tree = played("a", "b", "c");
    tree.update(edited(tree.chapter, { op: "add", path: ["a", "n"] }));
    expect(tree.path).toEqual(["a", "b", "c"]);
    tree.update(edited(tree.chapter, { op: "remove", path: ["a", "b"] }));
    expect(tree.path).toEqual(["a"]);
    expect(drawn(tree.chapter.root)).toBe("a(n)");
  });

  it("do not make a line longer than studies have them", () => {
    const actions = Array.from({ length: LONGEST_LINE }, (_, number) => `a${number}`);
    const tree = new VariationTree({ ...START, root: chain(actions) }, actions);
    tree.play("more");
    expect([tree.full, tree.path.length]).toEqual([true, LONGEST_LINE]);
    tree.back();
    expect(tree.full).toBe(false);
    tree.play("otherwise");
    expect(tree.path.at(-1)).toBe("otherwise");
  });

  it("of nodes that are not there change nothing", () => {
    for (const op of ["remove", "promote"] as const) expect(edited(START, { op, path: ["nowhere", "x"] })).toBe(START);
    expect(edited(START, { op: "comment", path: ["nowhere"], text: "x" })).toBe(START);
  });

  it("never change the document before them", () => {
    const before = { ...START, root: chain(["a", "b"]) };
    const copy = structuredClone(before);
    edited(before, { op: "add", path: ["a", "x"] });
    edited(before, { op: "remove", path: ["a"] });
    expect(before).toEqual(copy);
  });

  it("with an empty text remove the comment", () => {
    const tree = played("a");
    tree.comment("x");
    tree.comment("");
    expect(tree.node).toEqual({ action: "a", children: [] });
  });
});

describe("a chapter", () => {
  beforeEach(() => localStorage.clear());

  it("is kept in the browser with the node that is shown", () => {
    const tree = played("a", "b");
    tree.back();
    keep("test", tree);
    expect(kept("test")).toMatchObject({ chapter: tree.chapter, path: ["a"], players: [] });
    keep("later", { chapter: tree.chapter, path: [], players: ["Hine", "Tama"] });
    expect(
      keptChapters()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(["later", "test"]);
    expect(kept("other")).toBeUndefined();
    localStorage.setItem("kemu.chapter.test", '{"chapter": {"game": 1}}');
    expect(kept("test")).toBeUndefined();
  });

  it("goes through an address and back", () => {
    const tree = played("a", "b");
    tree.comment('50 % "sure" #1');
    tree.first();
    tree.play("x");
    const { chapter, path } = fromText(decodeURIComponent(toFragment(tree)));
    expect(chapter).toEqual(tree.chapter);
    expect(path).toEqual(["x"]);
  });

  it("is made of a record and of the links of before", () => {
    const record = {
      format: "kemu-record-1",
      game: "mu-torere",
      options: {},
      actions: ["a", "b"],
      players: ["X", "Y"],
    };
    const { chapter, path, players } = fromText(JSON.stringify(record));
    expect(drawn(chapter.root)).toBe("a(b)");
    expect(players).toEqual(["X", "Y"]);
    expect(path).toEqual(["a", "b"]);
    expect(fromText('{"game": "mauw"}').path).toEqual([]);
  });

  it("that is none is refused", () => {
    for (const text of ["", "null", "[]", '{"game": 3}', '{"game": "x", "root": {"children": [{}]}}'])
      expect(() => fromText(text)).toThrow();
  });

  it("opened by a path that leads out of it shows the last node that is there", () => {
    expect(new VariationTree({ ...START, root: chain(["a"]) }, ["a", "gone"]).path).toEqual(["a"]);
  });
});
