import { expect, test } from "vitest";
import type { AnyEdit } from "../wire/types";
import { applied, readStudy, type SharedStudy } from "./shared";

const root = { children: [] };
const empty = readStudy("Study", [{ id: "a", name: "One", game: "g", options: {}, position: null, root }]);
const after = (study: SharedStudy, ...edits: AnyEdit[]): SharedStudy => edits.reduce(applied, study);

test("every edit changes what it names", () => {
  const study = after(
    empty,
    { op: "add", chapter: "a", path: ["x"] },
    { op: "add", chapter: "a", path: ["y"] },
    { op: "promote", chapter: "a", path: ["y"] },
    { op: "comment", chapter: "a", path: ["y"], text: "why?" },
    { op: "mark", chapter: "a", path: ["x"], marks: [{ cell: "3" }] },
    { op: "add-chapter", chapter: "b", document: { name: "Two", game: "g", root } },
    { op: "rename-chapter", chapter: "b", name: "Zwei" },
    { op: "move-chapter", chapter: "b", to: 0 },
    { op: "rename", name: "Renamed" },
  );
  expect(study.name).toBe("Renamed");
  expect(study.chapters.map(({ id, chapter }) => [id, chapter.name])).toEqual([
    ["b", "Zwei"],
    ["a", "One"],
  ]);
  expect(study.chapters[1]?.chapter.root.children).toEqual([
    { action: "y", comment: "why?", children: [] },
    { action: "x", marks: [{ cell: "3" }], children: [] },
  ]);
  expect(after(study, { op: "remove-chapter", chapter: "b" }).chapters).toHaveLength(1);
});

test("an edit of a chapter that is not there changes nothing", () => {
  expect(applied(empty, { op: "add", chapter: "z", path: ["x"] })).toBe(empty);
});
