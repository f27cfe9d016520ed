import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

export default {
  preprocess: vitePreprocess(),
  compilerOptions: {
    runes: true,
    // Shorter than Svelte's own, because it stands at every element that has a style.
    cssHash: ({ hash, filename }) => `s${hash(filename).slice(0, 4)}`,
  },
};
