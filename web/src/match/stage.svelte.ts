// After a match against bots: which one to play next, from the own results.
import type { Face, Stage } from "../boards/face";
import { advanceStage, BEGIN, stageOf } from "../learn/stages";
import { preferences, setPreferences } from "../preferences.svelte";
import type { LiveMatch } from "./live.svelte";

export class NextStage {
  constructor(
    readonly live: () => LiveMatch,
    readonly face: () => Face | undefined,
  ) {
    $effect(() => this.#advance());
  }

  get #stages(): Stage[] {
    return this.face()?.stages ?? [];
  }

  /** The name of the bot, if the match was finished by one person against bots alone. */
  get #bot(): string | undefined {
    const { match } = this.live();
    const bots = match?.seats.filter((each) => each.kind === "bot") ?? [];
    const alone = match?.status === "finished" && match.mine.length === 1 && bots.length + 1 === match.seats.length;
    return alone && bots.length ? bots[0]!.name : undefined;
  }

  #advance(): void {
    const { match, outcome } = this.live();
    const bot = this.#bot;
    if (!match || !outcome || bot === undefined || !this.#stages.length) return;
    const seat = match.mine[0]!;
    const before = preferences.stages[match.game] ?? BEGIN;
    const after = advanceStage(this.#stages, before, {
      match: match.id,
      options: match.options,
      bot,
      won: outcome.winners.includes(seat),
      lost: outcome.winners.length > 0 && !outcome.winners.includes(seat),
    });
    if (after !== before) setPreferences({ stages: { ...preferences.stages, [match.game]: after } });
  }

  /** The number of the stage that is proposed; undefined after a match with people. */
  get at(): number | undefined {
    const { match } = this.live();
    if (!match || this.#bot === undefined || !this.#stages.length) return undefined;
    return preferences.stages[match.game]?.at ?? 0;
  }

  /** What is proposed, if it is not the match just played once more. */
  get other(): Stage | undefined {
    const { at } = this;
    if (at === undefined) return undefined;
    return at === stageOf(this.#stages, this.live().match!.options, this.#bot!) ? undefined : this.#stages[at];
  }
}
