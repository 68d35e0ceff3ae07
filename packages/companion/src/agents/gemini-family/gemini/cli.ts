import { sublimeText, xcode, zed } from "../../../editors/editors.ts";
import { jetbrains } from "../../../editors/jetbrains.ts";
import { vscode } from "../../../editors/vscode.ts";
import { isInContainer } from "../../../system/host.ts";
import type { AgentCli } from "../../agent.ts";
import { startRelay } from "../relay.ts";
import { checkGeminiSettings, geminiIdeSettings, geminiTrusts, loadGeminiEnvironment } from "./settings.ts";

/** The editors whose terminals it takes for an IDE's. */
const known = [vscode, sublimeText, zed, xcode, jetbrains];

/**
 * What Gemini CLI does on its side.
 * @see docs/reference/contract.md#2-discovery
 */
export const geminiCli: AgentCli = {
  packageName: "@google/gemini-cli",
  knownVersion: "0.61.0",
  oldestVersion: "0.31.0",
  needsOldest: true,
  variables: ["GEMINI_CLI_IDE_SERVER_STDIO_COMMAND", "GEMINI_CLI_IDE_SERVER_STDIO_ARGS"],
  folderVariables: ["TMPDIR"],
  programVariable: "GEMINI_CLI_IDE_SERVER_STDIO_COMMAND",
  looksOnce: true,
  checkSettings: checkGeminiSettings,
  loadEnvironment: loadGeminiEnvironment,
  trusts: geminiTrusts,
  terminalSign: (env) => known.map((ide) => ide.sign(env)).find((sign) => sign !== undefined),
  whyPassedOver: ({ source }) =>
    /-\d+-\d+\.json$/.test(source) ? undefined : "its name is not gemini-ide-server-PID-PORT.json",
  // In a container it expects its IDE outside, unless it seems to have been reached from outside itself.
  hostsOf: ({ host: { env } }) => {
    const remote = env.SSH_CONNECTION || env.VSCODE_REMOTE_CONTAINERS_SESSION || env.REMOTE_CONTAINERS;
    return isInContainer() && !remote ? ["host.docker.internal"] : ["127.0.0.1"];
  },
  startRelay,
  ideSettings: geminiIdeSettings,
};
