/// <reference types="vitest/config" />
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { globSync, readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

/** What travels to the browser and is not ours; its licences travel with it. */
const SHIPPED = ["@fontsource-variable/figtree", "@fontsource-variable/fraunces", "lean-qr", "svelte"];

/** What pages share that the first page does not need: those with a match or a long text, and those of study. */
const PLAY =
  /\/src\/(match\/([A-Z]|situation|steps)|parts\/(GameTiles|Prose|QrCode|RulesText|Share|Story|WordList)|sound)/;
const STUDY = /\/src\/(study|review)\//;

/** The editors of all games are one file: many small ones are larger together. */
const EDITORS = /\/src\/boards\/.*(Editor|Palette)/;

const licences: Plugin = {
  name: "licences",
  generateBundle() {
    const text = (name: string, file: string): string => readFileSync(`node_modules/${name}/${file}`, "utf-8").trim();
    const parts = SHIPPED.map((name) => {
      const file = name === "svelte" ? "LICENSE.md" : "LICENSE";
      return `${name}\n${"=".repeat(name.length)}\n\n${text(name, file)}\n`;
    });
    this.emitFile({ type: "asset", fileName: "licences.txt", source: parts.join("\n\n") });
  },
};

/** The texts that the first page need not load: courses and rules of the games, and what only other pages say. */
const LONG =
  /^(about|analysis|coach|control|credit|declined|entry|explorer|graph|feeds|greeting|groups|guide|hub|illegal|lists|mauw|motif|offer|offered|plan|proof|push|recover|replay|report|studies|theme|tournament|tournaments|vacation|waiting|why|word)\./;
const OF_GAMES = /^(learn|rules)\./;

type Tree = { [part: string]: string | string[] | Tree };

/**
 * The texts of a language, of the client and of the games, as one tree of the parts of their keys, which is smaller than whole keys.
 * Plural forms are lists of form and text; the part "" is the key itself where others begin with it.
 */
const catalogues: Plugin = {
  name: "catalogues",
  load(id) {
    const [, long, tag] = /\/src\/language\/catalogues\/(long\/)?(\w+)\.ts$/.exec(id) ?? [];
    if (!tag) return;
    const tree: Tree = {};
    const people = `../src/kemu/people/language/${tag}.json`;
    const files = [`src/language/${tag}.json`, ...globSync(`src/boards/*/language/${tag}.json`).sort(), people];
    for (const file of files) {
      this.addWatchFile(`${import.meta.dirname}/${file}`);
      const texts = JSON.parse(readFileSync(file, "utf-8")) as Record<string, string | Record<string, string>>;
      for (const [key, text] of Object.entries(texts)) {
        // Tests of parts have no page that would load the rest.
        const split = !process.env["VITEST"];
        const later = split && (LONG.test(key) || (file.includes("/boards/") && OF_GAMES.test(key)));
        if (later !== Boolean(long)) continue;
        let node = tree;
        for (const part of key.split(".")) {
          const found = node[part] ?? {};
          node = node[part] = typeof found === "string" || Array.isArray(found) ? { "": found } : found;
        }
        node[""] = typeof text === "string" ? text : Object.entries(text).flat();
      }
    }
    return `export default ${JSON.stringify(shorten(tree))}`;
  },
};

/** The same tree, each text that no other key begins with without its node. */
function shorten(tree: Tree): Tree {
  const entries = Object.entries(tree).map(([part, node]): [string, Tree[string]] => {
    if (typeof node === "string" || Array.isArray(node)) return [part, node];
    const [only, ...others] = Object.keys(node);
    return [part, only === "" && !others.length ? node[""]! : shorten(node)];
  });
  return Object.fromEntries(entries);
}

/** The list of files that the service worker keeps: all that pages are made of. */
const offline: Plugin = {
  name: "offline",
  generateBundle(_, bundle) {
    const files = Object.keys(bundle).filter((name) => /\.(js|css|woff2|svg)$/.test(name));
    const source = JSON.stringify([...files.map((name) => `/${name}`), "/icon.svg", "/icon-turn.svg", "/icon-192.png"]);
    this.emitFile({ type: "asset", fileName: "offline.json", source });
  },
};

export default defineConfig({
  plugins: [svelte(), licences, catalogues, offline],
  build: {
    outDir: "../src/kemu/web",
    emptyOutDir: true,
    target: "es2022",
    // The page may load nothing but files of its own server, so nothing is inlined as a data address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What several pages use is one file: many small ones are larger together.
    rolldownOptions: {
      output: {
        entryFileNames: "assets/[name]-[hash].js",
        codeSplitting: {
          groups: [
            { name: "shared", test: (id) => !PLAY.test(id) && !STUDY.test(id), minShareCount: 2, priority: 2 },
            { name: "play", test: (id) => !STUDY.test(id), minShareCount: 2, priority: 1 },
            { name: "study", minShareCount: 2 },
            { name: "editors", test: EDITORS },
          ],
        },
      },
    },
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } } },
  // One document for all files: making one for each took four times as long as the tests themselves.
  test: { environment: "happy-dom", include: ["src/**/*.test.ts"], isolate: false },
  resolve: process.env["VITEST"] ? { conditions: ["browser"] } : {},
});
