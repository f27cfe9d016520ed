// What the visitor has chosen, kept in this browser.

export type Theme = "auto" | "light" | "dark";

interface Kept {
  language: string;
  theme: Theme;
  sound: boolean;
  legal: boolean;
  threats: boolean;
}

const KEY = "kemu";
const DEFAULTS: Kept = { language: "", theme: "auto", sound: true, legal: true, threats: false };

function read(): Kept {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Kept>) };
  } catch {
    return { ...DEFAULTS };
  }
}

export const preferences = $state<Kept>(read());

export function prefer(changes: Partial<Kept>): void {
  Object.assign(preferences, changes);
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences));
  } catch {
    // A browser that keeps nothing still plays.
  }
  showTheme();
}

export function showTheme(): void {
  const root = document.documentElement;
  if (preferences.theme === "auto") root.removeAttribute("data-theme");
  else root.dataset["theme"] = preferences.theme;
}

export function calm(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
