// The steps of lessons, kept in the browser for times without a connection.
import type { Lesson } from "../boards/face";
import * as api from "../wire/api";
import type { Step } from "../wire/types";
import { advance, studySteps } from "./lesson";

const KEPT = "kemu-lessons-1";

interface Line {
  actions: string[];
  steps: Step[];
}

/** The lesson itself is the key: one that was changed is kept anew. */
async function address(game: string, lesson: Lesson): Promise<string> {
  const { key, position, options, answer, replies } = lesson;
  const text = new TextEncoder().encode(JSON.stringify([key, position, options, answer, replies]));
  const digest = [...new Uint8Array(await crypto.subtle.digest("SHA-256", text))].slice(0, 12);
  return `/lessons/${game}/${digest.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Keeps the steps of the answers of lessons, unless they are kept. */
export async function keepLessons(game: string, lessons: readonly Lesson[]): Promise<void> {
  const cache = await caches.open(KEPT);
  for (const lesson of lessons) {
    const at = await address(game, lesson);
    if (await cache.match(at)) continue;
    const show = studySteps(game, lesson);
    let actions = (await advance(lesson, show, [], 0)).actions;
    for (const [number, action] of lesson.answer.entries())
      ({ actions } = await advance(lesson, show, actions, number, action));
    const line: Line = { actions, steps: await show(actions) };
    await cache.put(at, new Response(JSON.stringify(line)));
  }
}

/** The steps after some actions if they are those of the answer and were kept. */
async function keptSteps(game: string, lesson: Lesson, actions: string[]): Promise<Step[] | undefined> {
  if (!("caches" in globalThis)) return undefined;
  const found = await (await caches.open(KEPT)).match(await address(game, lesson));
  const line = (await found?.json()) as Line | undefined;
  const known = line && actions.every((action, number) => action === line.actions[number]);
  return known ? line.steps.slice(0, actions.length + 1) : undefined;
}

/** As `studySteps`; without a connection from what is kept. */
export function lessonSteps(game: string, lesson: Lesson): (actions: string[]) => Promise<Step[]> {
  const ask = studySteps(game, lesson);
  return async (actions) => {
    try {
      return await ask(actions);
    } catch (error) {
      const kept = error instanceof api.RequestError && error.code === "offline";
      const steps = kept ? await keptSteps(game, lesson, actions) : undefined;
      if (!steps) throw error;
      return steps;
    }
  };
}
