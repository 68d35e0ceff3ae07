#!/usr/bin/env node
import { defaultAgent } from "../agents.ts";
import { startCodexExampleHere } from "../contracts/codex-cli/example/companion.ts";
import { startExampleHere } from "../contracts/gemini-family/example/companion.ts";
import { type Example, serveExample } from "./editor.ts";

// The example companion of a contract, by an agent that has it: `node main.js [AGENT]`.
const starts: Readonly<Record<string, () => Promise<Example>>> = {
  gemini: startExampleHere,
  qwen: startExampleHere,
  "codex-cli": startCodexExampleHere,
};

const [agent = defaultAgent] = process.argv.slice(2);
const start = starts[agent];
if (start) {
  serveExample(await start());
} else {
  console.error(`the agent must be one of ${Object.keys(starts).join(", ")}, got ${agent}`);
  process.exitCode = 2;
}
