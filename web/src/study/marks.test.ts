import { expect, test } from "vitest";
import { marksFrom, marksText } from "./marks";

test("marks are read as they are written", () => {
  const marks = [{ cell: "f6" }, { from: "f6", to: "i11" }];
  expect(marksText(marks)).toBe("f6 f6>i11");
  expect(marksFrom("f6, f6>i11 f6")).toEqual(marks);
  expect(marksFrom("")).toEqual([]);
  expect(marksFrom("f6>")).toBeUndefined();
  expect(marksFrom("[%]")).toBeUndefined();
});
