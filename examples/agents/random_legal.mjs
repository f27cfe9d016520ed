// A bot for Kemu in JavaScript: it reads one request a line and answers with a random legal action.
//
//     kemu arena mu-torere 1 --bot-command "node random_legal.mjs"
import { createInterface } from "node:readline";

for await (const line of createInterface({ input: process.stdin })) {
  const { id, legal } = JSON.parse(line);
  const action = legal[Math.floor(Math.random() * legal.length)];
  process.stdout.write(JSON.stringify({ id, action }) + "\n");
}
