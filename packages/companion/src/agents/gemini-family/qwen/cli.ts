import path from "node:path";
import { vscode } from "../../../editors/vscode.ts";
import { isInContainer } from "../../../system/host.ts";
import type { AgentCli } from "../../agent.ts";
import type { CompanionRecord, Place } from "../../doctor/checked-cli.ts";
import { qwenLocks } from "../../homes.ts";
import { startRelay } from "../relay.ts";
import { checkQwenSettings, loadQwenEnvironment, qwenIdeSettings, qwenTrusts } from "./settings.ts";

/**
 * What Qwen Code does on its side.
 * @see docs/reference/contract.md#2-discovery
 */
export const qwenCli: AgentCli = {
  packageName: "@qwen-code/qwen-code",
  knownVersion: "0.24.4",
  oldestVersion: "0.12.0",
  needsOldest: true,
  variables: ["QWEN_CODE_IDE_SERVER_STDIO_COMMAND", "QWEN_CODE_IDE_SERVER_STDIO_ARGS"],
  folderVariables: ["QWEN_HOME", "HOME"],
  programVariable: "QWEN_CODE_IDE_SERVER_STDIO_COMMAND",
  triesAll: true,
  looksOnce: true,
  checkSettings: checkQwenSettings,
  loadEnvironment: loadQwenEnvironment,
  trusts: qwenTrusts,
  terminalSign: vscode.sign,
  whyPassedOver,
  hostsOf: () => (isInContainer() ? ["127.0.0.1", "host.docker.internal"] : ["127.0.0.1"]),
  startRelay,
  ideSettings: qwenIdeSettings,
};

function whyPassedOver(
  { source, roots = [], pid, serverPid }: Omit<CompanionRecord, "ask">,
  { host }: Place,
): string | undefined {
  if (path.dirname(source) !== qwenLocks(host)) return "Qwen Code looks there for older companions alone";
  const isUnowned = pid === undefined && serverPid === undefined && roots.length > 1;
  return isUnowned ? "it has several folders and names no process (ppid): Qwen Code deletes it" : undefined;
}
