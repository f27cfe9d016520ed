// A review as it arrives, and what its page shows of the game: the game itself, a better line, or a retry.
import { faceOf, hasFace, type Face } from "../boards/face";
import { errorMessage } from "../errors";
import { playerName, recordedName } from "../match/names";
import { t } from "../language/language.svelte";
import { gameAnswer } from "../session.svelte";
import * as api from "../wire/api";
import type { GradedAction, MatchAnswer, Retry, Review, ReviewStep, Step } from "../wire/types";
import { isMistake } from "./words";

export interface GameRecord {
  game: string;
  options: Record<string, unknown>;
  actions: string[];
  players?: string[];
}

/** A line of play that is stepped through instead of the game. */
interface Line {
  ply: number;
  texts: string[];
  at: number;
  steps: Step[];
}

/** The reader looks for something better than what was done. */
interface Trial {
  ply: number;
  pending: string | null;
  answer: Retry | null;
}

const SPECTATOR = -2;

export class ReviewReading {
  record = $state.raw<GameRecord>();
  match = $state.raw<MatchAnswer>();
  face = $state.raw<Face>();
  review = $state.raw<Review>();
  progress = $state.raw<ReviewStep>();
  error = $state("");
  at = $state(0);
  line = $state<Line | null>(null);
  trial = $state<Trial | null>(null);
  /** By the seat through which they are seen. */
  #steps = $state.raw<Record<number, Step[]>>({});
  #left = false;

  readonly mine = $derived(this.match?.mine ?? []);
  readonly last = $derived(this.record?.actions.length ?? 0);
  /** The action that led to what is shown. */
  readonly taken = $derived(this.review?.actions.find(({ ply }) => ply === this.at - 1));
  /** The decision that comes next. */
  readonly coming = $derived(this.review?.actions.find(({ ply }) => ply === this.at));
  /** What the reader may try again: own mistakes and moments that decided the game, or those of all to a spectator. */
  readonly mistakes = $derived(
    (this.review?.complete ? this.review.actions : []).filter(
      (action) =>
        (isMistake(action) || this.review!.turning_points.includes(action.ply)) &&
        (!this.mine.length || this.mine.includes(action.seat)),
    ),
  );

  get hidden(): boolean {
    return (this.record && gameAnswer(this.record.game)?.hidden) ?? false;
  }

  /** The seat through which the game is seen; in games with secrets the reader's own, else that of who acts. */
  get seat(): number {
    if (!this.hidden) return SPECTATOR;
    return this.mine.length === 1 ? this.mine[0]! : ((this.trial ? this.coming?.seat : this.taken?.seat) ?? 0);
  }

  get step(): Step | undefined {
    return this.line?.steps[this.line.ply + this.line.at] ?? this.#steps[this.seat]?.[this.at];
  }

  /** The position in which an action was chosen. */
  before(action: GradedAction): Step | undefined {
    return (this.#steps[this.seat] ?? this.#steps[action.seat])?.[action.ply];
  }

  get steps(): Step[] {
    return this.#steps[this.seat] ?? [];
  }

  name = (seat: number): string => {
    if (this.match && this.face) return playerName(this.match, this.face, seat);
    const recorded = this.record?.players?.[seat];
    return recorded === undefined ? (this.face?.seatName(seat) ?? "") : recordedName(recorded);
  };

  /** Ends the stream; the server stops to work for it. */
  close(): void {
    this.#left = true;
  }

  async openMatch(id: string, at: number | null): Promise<void> {
    try {
      const [match, record] = await Promise.all([api.match(id), api.record(id)]);
      this.match = match;
      await this.#open(record as unknown as GameRecord, at, api.reviewMatch(id));
    } catch (error) {
      this.error = errorMessage(error);
    }
  }

  async openRecord(text: string, at: number | null): Promise<void> {
    try {
      const record = readRecord(text);
      await this.#open(record, at, api.reviewRecord({ ...record }));
    } catch (error) {
      this.error = errorMessage(error);
    }
  }

  async #open(record: GameRecord, at: number | null, stream: AsyncGenerator<ReviewStep>): Promise<void> {
    this.face = await faceOf(record.game, record.options);
    this.record = record;
    await this.#load();
    this.at = Math.min(at ?? this.last, this.last);
    for await (const step of stream) {
      if (this.#left) return;
      this.progress = step;
      if (step.review) this.review = step.review;
    }
  }

  /** The positions through one seat, or, with a line, those of another course. */
  async #load(texts?: string[]): Promise<Step[]> {
    const { game, options, actions } = this.record!;
    const asked = { game, options, seat: this.seat, text: !hasFace(game) || undefined };
    const { steps } = await api.steps({ ...asked, actions: texts ?? actions });
    if (!texts) this.#steps = { ...this.#steps, [asked.seat]: steps };
    return steps;
  }

  async go(at: number): Promise<void> {
    this.line = this.trial = null;
    this.at = Math.min(Math.max(at, 0), this.last);
    await this.#see();
  }

  /** Loads what is not there yet for the seat through which one looks. */
  async #see(): Promise<void> {
    if (!this.#steps[this.seat]) await this.#load().catch((error: unknown) => (this.error = errorMessage(error)));
  }

  /** How the game would have gone on with the best action. */
  async showLine(action: GradedAction): Promise<void> {
    const texts = [...action.line];
    const actions = [...this.record!.actions.slice(0, action.ply), ...texts];
    try {
      const steps = await this.#load(actions);
      this.trial = null;
      this.line = { ply: action.ply, texts, at: 0, steps };
    } catch (error) {
      this.error = errorMessage(error);
    }
  }

  stepLine(by: number): void {
    if (this.line) this.line.at = Math.min(Math.max(this.line.at + by, 0), this.line.texts.length);
  }

  /** Asks the reader for a better action; the board shows the position before the mistake and nothing else. */
  async begin(action: GradedAction): Promise<void> {
    this.line = null;
    this.at = action.ply;
    this.trial = { ply: action.ply, pending: null, answer: null };
    await this.#see();
  }

  async answer(action: string): Promise<void> {
    if (!this.trial || this.trial.pending) return;
    const { ply } = this.trial;
    this.trial = { ply, pending: action, answer: null };
    try {
      const answer = await api.retry({ ...this.record! }, ply, action);
      if (this.trial?.ply === ply) this.trial = { ply, pending: null, answer };
    } catch (error) {
      this.error = errorMessage(error);
      this.trial = { ply, pending: null, answer: null };
    }
  }

  /** The next mistake to try after the one that was tried. */
  get nextMistake(): GradedAction | undefined {
    const from = this.trial?.ply ?? -1;
    return this.mistakes.find(({ ply }) => ply > from) ?? this.mistakes.find(({ ply }) => ply !== from);
  }
}

/** A record from the text of a file or a link; raises an Error with a sentence if it is none. */
function readRecord(text: string): GameRecord {
  let found: Partial<GameRecord> | null = null;
  try {
    found = JSON.parse(text) as Partial<GameRecord> | null;
  } catch {
    // Told below.
  }
  if (typeof found?.game !== "string" || !Array.isArray(found.actions))
    throw new api.RequestError({ code: "parse-error", message: t("study.unreadable") });
  return { ...found, options: found.options ?? {} } as GameRecord;
}
