// Announcements for screen readers: one polite live region for the whole page.

export const announcement = $state({ text: "" });

export function announce(text: string): void {
  // A space more, so that the same text twice in a row is announced twice.
  announcement.text = announcement.text === text ? `${text}\u00a0` : text;
}
