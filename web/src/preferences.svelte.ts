// What the visitor has chosen, kept in this browser.

export type Theme = "auto" | "light" | "dark";
/** How stones and boards look: as in the box, in pounamu and bone, or with the most contrast. */
export const STONES = ["box", "pounamu", "contrast"] as const;
export type Stones = (typeof STONES)[number];
/** How fast the actions of others follow one another. */
export const PACES = ["slow", "normal", "fast", "off"] as const;
export type Pace = (typeof PACES)[number];

interface Preferences {
  language: string;
  theme: Theme;
  stones: Stones;
  sound: boolean;
  legal: boolean;
  /** Whether the coach speaks in casual matches against bots. */
  coach: boolean;
  /** The games whose ways to win were shown. */
  shown: string[];
  /** By game, the keys of the lessons that were solved. */
  learned: Record<string, string[]>;
  /** Whether push messages were offered. */
  pushOffered: boolean;
  pace: Pace;
  /** Whose games the explorer shows. */
  explorer: "mine" | "public" | "bots";
  /** By game, how far the visitor has come on its stages. */
  stages: Record<string, StageProgress>;
  analysis: AnalysisChoices;
}

/** How the analysis board is used. */
export interface AnalysisChoices {
  engine: boolean;
  /** How many lines the engine shows. */
  lines: number;
  /** Show whose each place will probably be. */
  owners: boolean;
}

/** How far somebody has come on the stages of a game. */
export interface StageProgress {
  /** The number of the stage to play next. */
  at: number;
  /** How often it was lost in a row. */
  losses: number;
  /** The match that was counted last. */
  match: string;
}

const STORAGE_KEY = "kemu";
const DEFAULTS: Preferences = {
  language: "",
  theme: "auto",
  stones: "box",
  sound: true,
  legal: true,
  pace: "normal",
  pushOffered: false,
  explorer: "public",
  coach: true,
  shown: [],
  learned: {},
  stages: {},
  analysis: { engine: true, lines: 3, owners: false },
};

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
  root.dataset["stones"] = preferences.stones;
}
