// What is said to those who do not look: one polite live region for the whole page.

export const spoken = $state({ text: "" });

export function announce(text: string): void {
  // The same sentence twice in a row is a new one.
  spoken.text = spoken.text === text ? `${text}\u00a0` : text;
}
