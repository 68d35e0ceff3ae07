import { tmpdir } from "node:os";
import { claudeCode } from "../contracts/claude-code/contract.ts";
import { codexCli } from "../contracts/codex-cli/contract.ts";
import { copilotCli } from "../contracts/copilot-cli/contract.ts";
import { geminiFamily } from "../contracts/gemini-family/contract.ts";
import { readSystemFolders } from "../target/folders.ts";
import { startOurClaude } from "./claude-proxy.ts";
import { startOurCodex } from "./codex-proxy.ts";
import { startOurCopilot } from "./copilot-proxy.ts";
import { type Example, serveExample } from "./example-editor.ts";
import { startOurFamily } from "./family-proxy.ts";

// An example as a process, with the fault that a check catches: `node example-process.js AGENT [CHECK]`.
const [agent = "", check = ""] = process.argv.slice(2);

/** What it does wrong. */
function faultIn<Fault>({
  checks,
}: {
  readonly checks: readonly { readonly id: string; readonly fault: Fault }[];
}): Fault | undefined {
  return checks.find(({ id }) => id === check)?.fault;
}

const folders = [process.cwd()];

const starts: Readonly<Record<string, () => Promise<Example>>> = {
  gemini: () =>
    startOurFamily({ systemFolders: readSystemFolders(process.env), folders, fault: faultIn(geminiFamily) }),
  "claude-code": () => {
    const configFolder = process.env.CLAUDE_CONFIG_DIR ?? "";
    return startOurClaude({ configFolder, folders, fault: faultIn(claudeCode) });
  },
  "codex-cli": () =>
    startOurCodex({
      home: process.env.CODEX_HOME ?? "",
      tmp: tmpdir(),
      folders,
      fault: faultIn(codexCli),
    }),
  "copilot-cli": () =>
    startOurCopilot({ home: process.env.COPILOT_HOME ?? "", folders, fault: faultIn(copilotCli) }),
};

const start = starts[agent];
if (!start) throw new Error(`there is no example for ${agent}`);
serveExample(await start());
