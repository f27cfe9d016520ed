import { describe, expect, it } from "vitest";
import type { Lesson } from "../boards/face";
import type { Step } from "../wire/types";
import { advance } from "./lesson";

/** A tiny game in place of the server: seat 0 counts up by one or two, the dealer adds ten. */
async function show(actions: string[]): Promise<Step[]> {
  const step = (total: number, turn: number | null, line: string | null): Step => ({
    actor: null,
    line,
    view: total,
    turn,
    actions: turn === -1 ? ["ten"] : ["one", "two"],
    outcome: null,
  });
  const steps = [step(0, 0, null)];
  let total = 0;
  for (const action of actions) {
    total += { one: 1, two: 2, ten: 10 }[action] ?? 0;
    steps.push(step(total, action === "ten" ? 0 : -1, action));
  }
  return steps;
}

const lesson = (wanted: number, answer: string[], replies: string[] = ["ten", "ten"]): Lesson => ({
  key: "count",
  replies,
  done: (after) => after.view === wanted,
  answer,
});

describe("a lesson", () => {
  it("begins open", async () => {
    expect((await advance(lesson(11, ["one"]), show, [], 0)).mark).toBe("open");
  });

  it("lets the others answer and then judges", async () => {
    const { actions, mark } = await advance(lesson(11, ["one"]), show, [], 0, "one");
    expect([actions, mark]).toEqual([["one", "ten"], "right"]);
  });

  it("is wrong when it was not done", async () => {
    expect((await advance(lesson(11, ["one"]), show, [], 0, "two")).mark).toBe("wrong");
  });

  it("goes on while more is to be done", async () => {
    const both = lesson(22, ["one", "one"]);
    const first = await advance(both, show, [], 0, "one");
    expect(first.mark).toBe("open");
    expect((await advance(both, show, first.actions, 1, "one")).mark).toBe("right");
    expect((await advance(both, show, first.actions, 1, "two")).mark).toBe("wrong");
  });

  it("is wrong when the script has no answer to it", async () => {
    expect((await advance(lesson(11, ["one", "one"], ["twenty"]), show, [], 0, "one")).mark).toBe("wrong");
  });
});
