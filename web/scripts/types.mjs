// Reads {name: JSON Schema} from standard input and writes {name: TypeScript} to standard output.
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { compile } from "json-schema-to-typescript";

const { printWidth } = JSON.parse(await readFile(new URL("../.prettierrc.json", import.meta.url), "utf-8"));
const files = {};
for (const [name, schema] of Object.entries(JSON.parse(await text(process.stdin)))) {
  const bannerComment = "// Written by web/scripts/wire.py; do not edit.";
  files[name] = await compile(schema, schema.title, {
    additionalProperties: false,
    bannerComment,
    ignoreMinAndMaxItems: true,
    style: { printWidth },
  });
}
process.stdout.write(JSON.stringify(files));
