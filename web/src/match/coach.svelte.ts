// Help in casual matches against bots: what threatens, what wins, and a suggestion with its reason.
import { NO_MARKS, type Face, type Marks } from "../boards/face";
import { errorMessage } from "../errors";
import { formatChoice, lookup, t } from "../language/language.svelte";
import { preferences } from "../preferences.svelte";
import * as api from "../wire/api";
import type { Hint, Threats } from "../wire/types";
import type { LiveMatch } from "./live.svelte";
import { situation } from "./situation";

/** A suggestion that takes longer is explained: the engine is being compiled. */
const SLOW_AFTER_MS = 4000;
/** More marked places than these are not named one by one. */
const MOST_NAMED = 3;
const NONE: Threats = { wins: [], stops: [], threats: [] };

export class Coach {
  hint = $state.raw<Hint>();
  threats = $state.raw<Threats>(NONE);
  refused = $state("");
  waiting = $state(false);
  slow = $state(false);

  constructor(
    readonly live: LiveMatch,
    readonly hidden: () => boolean,
  ) {}

  /** Whether the server helps in this match. */
  get available(): boolean {
    const { match } = this.live;
    if (!match || match.rated) return false;
    const bots = match.seats.filter((seat) => seat.kind === "bot").length;
    return bots > 0 && match.seats.every((seat, number) => seat.kind === "bot" || match.mine.includes(number));
  }

  /** Whether threats can be told; not where seats have secrets. */
  get speaks(): boolean {
    return this.available && !this.hidden();
  }

  get marks(): Marks {
    return { ...NO_MARKS, legal: preferences.legal, suggested: this.hint?.action ?? null, ...this.threats };
  }

  /** What the coach says now, in sentences. */
  sentences(face: Face, name: (seat: number) => string): string[] {
    const { wins, stops, threats } = this.threats;
    const { hint, live } = this;
    const told: string[] = [];
    /** A sentence about marked places, which names them unless there are many. */
    const named = (key: "wins" | "stops" | "careful", actions: string[]): string => {
      const places = [...new Set(actions.map((action) => face.place?.(action) ?? action))];
      if (places.length > MOST_NAMED) return t(`coach.${key}.many`);
      return t(`coach.${key}`, { at: formatChoice(places), count: places.length });
    };
    if (hint) {
      const words = face.suggestion?.(hint.action, situation(live), name);
      const why = face.because?.(hint.stakes ?? {}, name) || lookup(`why.${hint.reason}`, hint.reason);
      told.push(`${words ?? t("hint.try", { action: hint.action })} ${why}`);
    } else if (wins.length) told.push(named("wins", wins));
    if (wins.length) return told;
    const opponent = name(live.match?.seats.findIndex((_, seat) => seat !== live.seat) ?? 0);
    const warned = [...new Set(threats.map((threat) => face.threatened?.(threat, opponent) ?? ""))].filter(Boolean);
    told.push(...warned);
    if (!hint && warned.length) told.push(stops.length ? named("stops", stops) : t("coach.lost"));
    else if (!hint && stops.length) told.push(named("careful", stops));
    return told;
  }

  /** Forgets what belongs to an earlier version and asks what threatens in this one. */
  begin(): void {
    const { version, id, myTurn } = this.live;
    this.hint = undefined;
    this.refused = "";
    this.threats = NONE;
    if (!preferences.coach || !this.speaks || !myTurn) return;
    api.threats(id).then(
      (found) => {
        if (version === this.live.version) this.threats = found;
      },
      // Nobody asked for it: without an answer the coach is silent.
      () => undefined,
    );
  }

  async suggest(): Promise<void> {
    const { version, id } = this.live;
    this.waiting = true;
    const timer = setTimeout(() => (this.slow = true), SLOW_AFTER_MS);
    try {
      const found = await api.hint(id);
      if (version === this.live.version) this.hint = found;
    } catch (error) {
      this.refused = errorMessage(error);
    } finally {
      this.waiting = this.slow = false;
      clearTimeout(timer);
    }
  }
}
