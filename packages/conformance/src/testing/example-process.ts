import { claudeCode } from "../contracts/claude-code/contract.ts";
import { startClaudeExampleHere } from "../contracts/claude-code/example/companion.ts";
import { codexCli } from "../contracts/codex-cli/contract.ts";
import { startCodexExampleHere } from "../contracts/codex-cli/example/companion.ts";
import { copilotCli } from "../contracts/copilot-cli/contract.ts";
import { startCopilotExampleHere } from "../contracts/copilot-cli/example/companion.ts";
import { geminiFamily } from "../contracts/gemini-family/contract.ts";
import { startExampleHere } from "../contracts/gemini-family/example/companion.ts";
import { type Example, serveExample } from "../example/editor.ts";

// An example as a process, with the fault that a check catches: `node example-process.js AGENT [CHECK]`.
const [agent = "", check = ""] = process.argv.slice(2);

/** How an example differs from a good one. */
function brokenIn<Rules>({
  checks,
}: {
  readonly checks: readonly { readonly id: string; readonly fault: { readonly rules: Rules } }[];
}): Rules | undefined {
  return checks.find(({ id }) => id === check)?.fault.rules;
}

const starts: Readonly<Record<string, () => Promise<Example>>> = {
  gemini: () => startExampleHere(brokenIn(geminiFamily)),
  "claude-code": () => startClaudeExampleHere(brokenIn(claudeCode)),
  "codex-cli": () => startCodexExampleHere(brokenIn(codexCli)),
  "copilot-cli": () => startCopilotExampleHere(brokenIn(copilotCli)),
};

const start = starts[agent];
if (!start) throw new Error(`there is no example for ${agent}`);
serveExample(await start());
