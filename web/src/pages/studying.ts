// The pages of those who study, which share most of what they need.
export { default as Analysis } from "./Analysis.svelte";
export { default as Puzzles } from "./Puzzles.svelte";
export { default as Review } from "./Review.svelte";
export { default as Studies } from "./Studies.svelte";
export { default as Study } from "./Study.svelte";
export { default as Replay } from "./Replay.svelte";
