// A lesson is a play from a given position: the learner acts, the script answers for all others, the server judges.
import type { Lesson } from "../boards/face";
import * as api from "../wire/api";
import type { Step } from "../wire/types";

export type Mark = "open" | "right" | "wrong";

export interface Progress {
  /** All actions from the position on, those of the learner and the others. */
  actions: string[];
  step: Step;
  mark: Mark;
}

type ShowSteps = (actions: string[]) => Promise<Step[]>;

/** A function that asks the server for the steps of a lesson after some actions. */
export function studySteps(game: string, lesson: Lesson): ShowSteps {
  return async (actions) => {
    const { options, position } = lesson;
    const answer = await api.steps({ game, options, position, actions, seat: lesson.seat ?? 0 });
    return answer.steps;
  };
}

/** The next action of the script that the position allows, if it is not the learner's turn. */
function reply(lesson: Lesson, step: Step, actions: string[], own: number): string | undefined {
  if (step.turn === null || step.turn === (lesson.seat ?? 0)) return undefined;
  const next = lesson.replies?.[actions.length - own];
  return next !== undefined && step.actions.includes(next) ? next : undefined;
}

/** The lesson after the learner's next action; none to begin with. */
export async function advance(
  lesson: Lesson,
  show: ShowSteps,
  before: string[],
  own: number,
  action?: string,
): Promise<Progress> {
  let actions = action === undefined ? before : [...before, action];
  const taken = own + (action === undefined ? 0 : 1);
  let steps = await show(actions);
  const start = steps[before.length]!;
  let step = steps.at(-1)!;
  for (let next = reply(lesson, step, actions, taken); next !== undefined; next = reply(lesson, step, actions, taken)) {
    actions = [...actions, next];
    steps = await show(actions);
    step = steps.at(-1)!;
  }
  if (action === undefined) return { actions, step, mark: "open" };
  if (lesson.done(step, start)) return { actions, step, mark: "right" };
  const again = step.turn === (lesson.seat ?? 0) && taken < lesson.answer.length;
  return { actions, step, mark: again ? "open" : "wrong" };
}
