import type { Face } from "./boards/face";
import { language, lookup, type Values } from "./language/language.svelte";
import { RequestError } from "./wire/api";

/** An error in the chosen language; the server's own sentence, in English, says more than its code. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof RequestError)) return lookup("error.internal", String(error));
  return language() === "en" ? error.message : lookup(`error.${error.code}`, error.message);
}

/** Why an attempt is refused, in words of the game if its rules refuse it; "" if it is not. */
export async function whyRefused(game: string, face: Face, attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt;
    return "";
  } catch (error) {
    if (!(error instanceof RequestError) || !error.reason) return errorMessage(error);
    const words = face.refusalWords?.(error.values) ?? (error.values as Values);
    return lookup(`illegal.${game}.${error.reason}`, errorMessage(error), words);
  }
}
