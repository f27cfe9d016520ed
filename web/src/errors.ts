import { language, lookup } from "./language/language.svelte";
import { RequestError } from "./wire/api";

/** An error in the chosen language; the server's own sentence, in English, says more than its code. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof RequestError)) return lookup("error.internal", String(error));
  return language() === "en" ? error.message : lookup(`error.${error.code}`, error.message);
}
