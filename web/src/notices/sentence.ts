// A notice in words. Its sentences are those of the server, which sends them by push and by e-mail too.
import { formatList, formatNumber, language, lookup } from "../language/language.svelte";
import { recordedName } from "../match/names";
import type { IconName } from "../parts/Icon.svelte";
import { gameTitle } from "../session.svelte";
import type { ShownNotice } from "../wire/types";

/** Kinds with an icon of their own; all others have the bell. */
const ICONS: Partial<Record<ShownNotice["kind"], IconName>> = {
  "your-turn": "play",
  "running-out": "clock",
  challenge: "people",
  accepted: "check",
  declined: "close",
  finished: "flag",
  tournament: "trophy",
};

export const noticeIcon = ({ kind }: ShownNotice): IconName => ICONS[kind] ?? "bell";

export function sentence(notice: ShownNotice): string {
  const { kind, result, step, rating, change } = notice;
  const names = formatList((notice.names ?? []).map(recordedName));
  const values = { names, game: gameTitle(notice.game ?? "") };
  const plain = lookup(`notice.${kind}`, "", values);
  const about = result ?? step;
  const said = about ? lookup(`notice.${kind}.${about}`, plain, values) : plain;
  if (rating == null || change == null) return said;
  return lookup("notice.rating", said, { sentence: said, rating: String(rating), change: signed(change) });
}

const signed = (change: number): string => (change < 0 ? `−${formatNumber(-change)}` : `+${formatNumber(change)}`);

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How much time is left until a moment, in the largest unit of which there are two. */
export function timeLeft(deadline: number, now: number): string {
  const left = Math.max(0, deadline - now);
  const [unit, size] =
    left >= 2 * DAY_MS ? ["day", DAY_MS] : left >= 2 * HOUR_MS ? ["hour", HOUR_MS] : ["minute", MINUTE_MS];
  const format = new Intl.NumberFormat(language(), { style: "unit", unit: unit as string, unitDisplay: "long" });
  return format.format(Math.floor(left / (size as number)));
}
