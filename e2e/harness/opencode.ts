import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { companionScript, opencode as program } from "./installed.ts";
import type { Model } from "./model.ts";
import { startTerminal, type Terminal } from "./terminal.ts";

/** How the agent calls our tools when it talks to its model: by the server's name and the tool's. */
export const opencodeTool = (name: string): string => `editor_${name}`;

/**
 * opencode, unmodified, at work on one prompt: an agent without IDE mode, which has `ide-companion mcp` among its MCP servers.
 * It says what its model says, and ends.
 */
export async function startOpencode(sandbox: Sandbox, model: Model, prompt: string): Promise<Terminal> {
  await writeSettings(sandbox, settings(model));
  return startTerminal(sandbox, { command: [program, "run", prompt], env: offline });
}

/** The same, waiting for its user's prompts. It connects to an editor by Claude Code's lock files. */
export async function startOpencodeScreen(
  sandbox: Sandbox,
  model: Model,
  env: Readonly<Record<string, string>> = {},
): Promise<Terminal> {
  await writeSettings(sandbox, { ...settings(model), mcp: {} });
  return startTerminal(sandbox, { command: [program], env: { ...offline, ...env } });
}

async function writeSettings({ home }: Sandbox, content: object): Promise<void> {
  const folder = join(home, ".config", "opencode");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "opencode.json"), JSON.stringify(content));
}

/** As docs/reference/commands.md has it, with the scripted model. */
function settings({ url }: Model) {
  const provider = {
    npm: "@ai-sdk/openai-compatible",
    name: "Scripted",
    options: { baseURL: `${url}/v1`, apiKey: "fake" },
    models: { x: { name: "x" } },
  };
  return {
    model: "scripted/x",
    enabled_providers: ["scripted"],
    provider: { scripted: provider },
    mcp: { editor: { type: "local", command: [process.execPath, companionScript, "mcp"] } },
    autoupdate: false,
    share: "disabled",
  };
}

/** With these it talks to its model alone. The last is npm's: it would fetch its own plugin kit. */
const offline = {
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_MODELS_FETCH: "1",
  OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  npm_config_offline: "true",
};
