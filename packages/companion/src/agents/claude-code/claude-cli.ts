import path from "node:path";
import { WebSocket } from "ws";
import { isInside } from "../../files/workspace-path.ts";
import { portIsServed } from "../../system/liveness.ts";
import type { AgentCli } from "../agent.ts";
import type { Answer, CompanionRecord, Place } from "../doctor/checked-cli.ts";
import { toUnset } from "../doctor/environment.ts";
import { failed } from "../doctor/finding.ts";
import { startRelay } from "./relay.ts";
import { checkClaudeSettings, claudeIdeSettings, editorTerminal } from "./settings.ts";

/**
 * What Claude Code does on its side, as seen with the program itself.
 * @see docs/reference/claude-code.md
 */
export const claudeCli: AgentCli = {
  packageName: "@anthropic-ai/claude-code",
  knownVersion: "2.1.332",
  oldestVersion: "1.0.128",
  variables: ["CLAUDE_CONFIG_DIR", "CLAUDE_CODE_AUTO_CONNECT_IDE", "CLAUDE_CODE_IDE_HOST_OVERRIDE"],
  folderVariables: [],
  runModes: [[/\s(-p|--print)(\s|$)/, "prints one answer, and never connects"]],
  checkSettings: checkClaudeSettings,
  whyPassedOver,
  ask,
  ideSettings: claudeIdeSettings,
  startRelay,
};

/** What opencode does on its side. */
export const opencodeCli: AgentCli = {
  packageName: "opencode-ai",
  knownVersion: "1.18.33",
  oldestVersion: "1.18.33",
  variables: ["CLAUDE_CODE_SSE_PORT"],
  folderVariables: [],
  checkSettings: ({ host: { env } }) =>
    env.CLAUDE_CODE_SSE_PORT
      ? {
          "ide-mode": failed(
            toUnset("CLAUDE_CODE_SSE_PORT"),
            "to the port that CLAUDE_CODE_SSE_PORT names it sends no token, and is refused",
          ),
        }
      : {},
  ask,
};

/** How far it walks up for the process of a lock. */
const maxAncestors = 10;

/** What it has against a lock file, unless its terminal names the port. */
function whyPassedOver(
  { port, pid, roots = [] }: Omit<CompanionRecord, "ask">,
  { host: { env }, folder, lineage = [] }: Place,
): string | undefined {
  if (env.CLAUDE_CODE_SSE_PORT === String(port)) return undefined;
  const terminal = editorTerminal(env);
  if (terminal !== undefined && !lineage.slice(0, maxAncestors).some((above) => above === pid)) {
    return `its process ${pid ?? "(none)"} is not above this terminal, which is an editor's: ${terminal}`;
  }
  if (roots.some((root) => isInside(folder, path.resolve(root)))) return undefined;
  return `it names this folder by a symlink, and Claude Code wants the real path: ${roots.join(", ")}`;
}

/** How long a companion may take to answer, in milliseconds. */
const patience = 5000;

/** Connects as the CLI does, and leaves before it would be shown as one. */
async function ask(port: number, token = "", { host: { env } }: Place): Promise<Answer> {
  const host = env.CLAUDE_CODE_IDE_HOST_OVERRIDE || "127.0.0.1";
  if (host === "127.0.0.1" && !(await portIsServed(port))) {
    return { kind: "nowhere", evidence: `nothing of yours listens on port ${port}` };
  }
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://${host}:${port}/`, ["mcp"], {
      headers: { "x-claude-code-ide-authorization": token },
      handshakeTimeout: patience,
    });
    const finish = (kind: Answer["kind"], evidence: string) => {
      resolve({ kind, evidence });
      socket.terminate();
    };
    socket.once("open", () => finish("taken", `${host}:${port} answers, and takes the token`));
    socket.once("unexpected-response", (_, { statusCode }) =>
      statusCode === 401 || statusCode === 403
        ? finish("refused", `port ${port} refuses the token: ${statusCode}`)
        : finish("nowhere", `port ${port} is served by something else: it answered ${statusCode}`),
    );
    // Also what follows our own end.
    socket.on("error", ({ message }) =>
      finish(/timed out/.test(message) ? "silent" : "nowhere", `port ${port}: ${message}`),
    );
  });
}
