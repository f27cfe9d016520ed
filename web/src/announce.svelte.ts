// Announcements for screen readers: one polite live region for the whole page.
import { untrack } from "svelte";

export const announcement = $state({ text: "" });

export function announce(text: string): void {
  // A space more, so that the same text twice in a row is announced twice. Not tracked: an effect that announces
  // would depend on what it has announced and run again for ever.
  announcement.text = untrack(() => announcement.text) === text ? `${text}\u00a0` : text;
}
