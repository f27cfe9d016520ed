import { language, told } from "./language/language.svelte";
import { Refused } from "./wire/api";

/** A refusal in today's language; the server's own sentence, in English, says more than its code. */
export function sentence(error: unknown): string {
  if (!(error instanceof Refused)) return told("error.internal", String(error));
  return language() === "en" ? error.message : told(`error.${error.code}`, error.message);
}
