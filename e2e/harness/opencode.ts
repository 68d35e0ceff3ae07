import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { companionScript, opencode as program } from "./installed.ts";
import type { Model } from "./model.ts";
import { startTerminal, type Terminal } from "./terminal.ts";
import type { Writer } from "./unasking.ts";

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

/**
 * The same, waiting for its user's prompts. It connects to an editor by Claude Code's lock files.
 * @param more settings @param name of its model, by which it chooses the tools
 */
export async function startOpencodeScreen(
  sandbox: Sandbox,
  model: Model,
  env: Readonly<Record<string, string>> = {},
  more: object = {},
  name?: string,
): Promise<Terminal> {
  await writeSettings(sandbox, { ...settings(model, name), mcp: {}, ...more });
  return startTerminal(sandbox, { command: [program], env: { ...offline, ...env } });
}

/** Lets it answer one prompt in each run. @param name of its model, by which it chooses the tools */
export const unaskingOpencode = (name?: string): Writer => ({
  name: "opencode",
  displayName: "opencode",
  calls: (filePath, fresh) => [
    { call: "read", args: { filePath } },
    { call: "edit", args: { filePath, oldString: "beta", newString: "BETA" } },
    { call: "write", args: { filePath: fresh, content: "new\n" } },
  ],
  async setUp(sandbox, model) {
    await writeSettings(sandbox, { ...settings(model, name), mcp: {} });
    return { command: [program, "run"], goOn: ["--continue"], flags: [], env: offline };
  },
});

async function writeSettings({ home }: Sandbox, content: object): Promise<void> {
  const folder = join(home, ".config", "opencode");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "opencode.json"), JSON.stringify(content));
}

/** As docs/reference/commands.md has it, with the scripted model. */
function settings({ url }: Model, name = "x") {
  const provider = {
    npm: "@ai-sdk/openai-compatible",
    name: "Scripted",
    options: { baseURL: `${url}/v1`, apiKey: "fake" },
    models: { [name]: { name } },
  };
  return {
    model: `scripted/${name}`,
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
