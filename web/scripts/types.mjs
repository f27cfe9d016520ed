// Reads {name: JSON Schema} from standard input and writes {name: TypeScript} to standard output.
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { compile } from "json-schema-to-typescript";

const { printWidth } = JSON.parse(await readFile(new URL("../.prettierrc.json", import.meta.url), "utf-8"));
const files = {};
for (const [name, schema] of Object.entries(JSON.parse(await text(process.stdin)))) {
  const bannerComment = "// Written by web/scripts/wire.py; do not edit.";
  const written = await compile(schema, schema.title, {
    additionalProperties: false,
    bannerComment,
    ignoreMinAndMaxItems: true,
    style: { printWidth },
  });
  // A root that only lists its definitions is needed to write them, and by nobody else.
  const list = schema.title === "Messages" ? /\nexport interface Messages \{\n[^}]*\n\}/ : /(?!)/;
  files[name] = written.replace(list, "");
}
process.stdout.write(JSON.stringify(files));
