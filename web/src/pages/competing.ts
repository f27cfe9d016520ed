// The pages of tournaments, which share most of what they need.
export { default as Tournament } from "./Tournament.svelte";
export { default as Tournaments } from "./Tournaments.svelte";
