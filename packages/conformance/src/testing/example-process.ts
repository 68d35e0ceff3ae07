import { startClaudeExampleHere } from "../contracts/claude-code/example/companion.ts";
import { faults as claudeFaults } from "../contracts/claude-code/testing/faults.ts";
import { startCodexExampleHere } from "../contracts/codex-cli/example/companion.ts";
import { faults as codexFaults } from "../contracts/codex-cli/testing/faults.ts";
import { startCopilotExampleHere } from "../contracts/copilot-cli/example/companion.ts";
import { faults as copilotFaults } from "../contracts/copilot-cli/testing/faults.ts";
import { startExampleHere } from "../contracts/gemini-family/example/companion.ts";
import { faults as familyFaults } from "../contracts/gemini-family/testing/faults/index.ts";
import { type Example, serveExample } from "../example/editor.ts";

// An example as a process, with the fault that a check catches: `node example-process.js AGENT [CHECK]`.
const [agent = "", check = ""] = process.argv.slice(2);

const starts: Readonly<Record<string, () => Promise<Example>>> = {
  gemini: () => startExampleHere(familyFaults[check]?.rules),
  "claude-code": () => startClaudeExampleHere(claudeFaults[check]?.rules),
  "codex-cli": () => startCodexExampleHere(codexFaults[check]?.rules),
  "copilot-cli": () => startCopilotExampleHere(copilotFaults[check]?.rules),
};

const start = starts[agent];
if (!start) throw new Error(`there is no example for ${agent}`);
serveExample(await start());
