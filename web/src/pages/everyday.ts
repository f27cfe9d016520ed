// Small pages, which are one file: many small ones are larger together.
export { default as About } from "./About.svelte";
export { default as Challenges } from "./Challenges.svelte";
export { default as Entry } from "./Entry.svelte";
export { default as Glossary } from "./Glossary.svelte";
export { default as Groups } from "./Groups.svelte";
export { default as Learn } from "./Learn.svelte";
export { default as Matches } from "./Matches.svelte";
export { default as Missing } from "./Missing.svelte";
export { default as Players } from "./Players.svelte";
export { default as Rules } from "./Rules.svelte";
export { default as Settings } from "./Settings.svelte";
export { default as Setup } from "./Setup.svelte";
