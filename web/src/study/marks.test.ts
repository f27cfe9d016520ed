import { expect, test } from "vitest";
import { arrow, markName, MOST_MARKS, toggled } from "./marks";

test("a mark that is drawn again is removed", () => {
  const marks = toggled([{ cell: "f6" }], { from: "f6", to: "i11" });
  expect(marks.map(markName)).toEqual(["f6", "f6 → i11"]);
  expect(toggled(marks, { cell: "f6" })).toEqual([{ from: "f6", to: "i11" }]);
});

test("the newest marks are kept", () => {
  const many = Array.from({ length: MOST_MARKS }, (_, number) => ({ cell: String(number) }));
  const marks = toggled(many, { cell: "f6" });
  expect(marks).toHaveLength(MOST_MARKS);
  expect(marks.at(-1)).toEqual({ cell: "f6" });
});

test("an arrow begins and ends inside of its places", () => {
  const size = { width: 12, height: 12 };
  expect(arrow({ x: 0, y: 0, ...size }, { x: 100, y: 0, ...size })).toBe("M3.0 0.0L96.0 0.0");
});
