// Prints what the pictures of the rules pages and the lessons of the courses show, as JSON by game.
import { readdirSync } from "node:fs";
import { rolldown } from "rolldown";

const boards = new URL("../src/boards/", import.meta.url);

/** What a module of a game exports, without functions; {} if the game has no such module. */
async function exported(game, module) {
  const files = readdirSync(new URL(`${game}/`, boards));
  if (!files.includes(`${module}.ts`)) return {};
  const bundle = await rolldown({ input: new URL(`${game}/${module}.ts`, boards).pathname, logLevel: "silent" });
  const { output } = await bundle.generate({ format: "esm" });
  return import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
}

const found = {};
for (const { name } of readdirSync(boards, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
  const { sections = [], picture } = await exported(name, "sections");
  const { course = [] } = await exported(name, "course");
  const { pairLessons = [] } = await exported(name, "pairs");
  found[name] = { sections, picture, lessons: [...course, ...pairLessons] };
}
console.log(JSON.stringify(found));
