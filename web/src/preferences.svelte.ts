// What the visitor has chosen, kept in this browser.

export type Theme = "auto" | "light" | "dark";
/** How fast the actions of others follow one another. */
export type Pace = "slow" | "normal" | "fast" | "off";

interface Preferences {
  language: string;
  theme: Theme;
  sound: boolean;
  legal: boolean;
  threats: boolean;
  pace: Pace;
}

const STORAGE_KEY = "kemu";
const DEFAULTS: Preferences = { language: "", theme: "auto", sound: true, legal: true, threats: false, pace: "normal" };

function read(): Preferences {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}") as Partial<Preferences>) };
  } catch {
    return { ...DEFAULTS };
  }
}

export const preferences = $state<Preferences>(read());

export function setPreferences(changes: Partial<Preferences>): void {
  Object.assign(preferences, changes);
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(preferences));
  } catch {
    // Without storage the choice holds until the page is left.
  }
  showTheme();
}

export function showTheme(): void {
  const root = document.documentElement;
  if (preferences.theme === "auto") root.removeAttribute("data-theme");
  else root.dataset["theme"] = preferences.theme;
}
