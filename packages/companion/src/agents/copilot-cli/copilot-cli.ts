import http from "node:http";
import path from "node:path";
import { namesIn } from "../../system/disk.ts";
import { messageOf } from "../../system/error-message.ts";
import { pidIsAlive } from "../../system/liveness.ts";
import { readPrivateFile } from "../../system/private-file.ts";
import type { AgentCli } from "../agent.ts";
import type { Answer, CompanionRecord, Place, SettingsFindings } from "../doctor/checked-cli.ts";
import { type Finding, failed, note, ok } from "../doctor/finding.ts";
import { checkFiles, findSetting, readSettingsFile } from "../doctor/settings-files.ts";
import { copilotSettingsPath, findLock, type Lock, lockFolder, readLock } from "./lock-file.ts";
import { startRelay } from "./relay.ts";

/**
 * What Copilot CLI does on its side, as seen with the program itself.
 * @see docs/reference/copilot-cli.md
 */
export const copilotCli: AgentCli = {
  packageName: "@github/copilot",
  knownVersion: "1.0.102",
  oldestVersion: "1.0.102",
  variables: ["COPILOT_HOME", "COPILOT_ALLOW_ALL"],
  folderVariables: ["COPILOT_HOME"],
  runModes: [
    [/\s(-p|--prompt)(\s|=|$)/, "answers one prompt, and never connects"],
    [/\s--allow-all(-tools)?(\s|$)|\s--yolo(\s|$)/, "was allowed all tools, and shows no diffs"],
  ],
  checkSettings: checkCopilotSettings,
  findRecords: findCopilotRecords,
  startRelay,
  isServedBy: async (companion, host) => findLock(host, companion) !== undefined,
  ideSettings: (host) => ({
    path: copilotSettingsPath(host),
    // Both are so by default: what the user has decided counts.
    values: [
      { key: ["ide", "autoConnect"], value: true, unlessSet: true },
      { key: ["ide", "openDiffOnEdit"], value: true, unlessSet: true },
    ],
  }),
};

function checkCopilotSettings({ host }: Place): SettingsFindings {
  const file = copilotSettingsPath(host);
  const settings = readSettingsFile(file);
  const allowed = host.env.COPILOT_ALLOW_ALL ?? "";
  const examine = (key: string, effect: string): Finding => {
    const value = settings && findSetting([settings], key)?.value;
    if (value !== false) return ok(`${key} is ${value === undefined ? "not set" : String(value)}`);
    return failed(`Set "${key}" to true in ${file}.`, `${key} is false in ${file}`, effect);
  };
  return {
    settings: checkFiles(settings ? [settings] : []),
    "ide-mode": examine("ide.autoConnect", "it waits until you type /ide"),
    approval: /^(true|1|yes|on|y)$/i.test(allowed)
      ? failed(
          "Unset COPILOT_ALLOW_ALL.",
          `COPILOT_ALLOW_ALL=${allowed}: it asks nothing, and so shows no diffs`,
        )
      : note(
          "a CLI that was allowed all tools, or not to ask again, shows no diffs",
          "with -p it never connects",
        ),
    diffs: examine("ide.openDiffOnEdit", "it asks in its terminal alone"),
  };
}

/** Its lock files lead to sockets. */
async function findCopilotRecords({ host }: Place): Promise<readonly CompanionRecord[]> {
  const files = namesIn(lockFolder(host)).filter((name) => name.endsWith(".lock"));
  return files.map((name) => toRecord(path.join(lockFolder(host), name)));
}

function toRecord(source: string): CompanionRecord {
  const refused = (fault: string) => ({
    source,
    isFile: true,
    fault,
    ask: () => Promise.reject(new Error(fault)),
  });
  const text = readPrivateFile(source);
  if (text === undefined) return refused("it is no file of yours that can be read");
  try {
    const lock = readLock(text);
    if (!pidIsAlive(lock.pid)) return refused(`process ${lock.pid} is gone`);
    return {
      source,
      isFile: true,
      ide: lock.ideName,
      roots: lock.workspaceFolders,
      serverPid: lock.pid,
      ask: () => ask(lock),
    };
  } catch (error) {
    return refused(messageOf(error));
  }
}

/** How long a companion may take to answer, in milliseconds. */
const patience = 5000;

/** Asks as the CLI does first, and leaves before it would be shown as one. */
function ask({ socketPath, headers }: Lock): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 0, method: "server/discover", params: {} });
  const own = {
    host: "localhost",
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const options = { socketPath, method: "POST", path: "/mcp", headers: { ...headers, ...own }, agent: false };
  return new Promise((resolve) => {
    const request = http.request({ ...options, timeout: patience }, (response) => {
      response.destroy();
      const { statusCode } = response;
      resolve(
        statusCode === 401 || statusCode === 403
          ? { kind: "refused", evidence: `${socketPath} refuses the headers of the file: ${statusCode}` }
          : { kind: "taken", evidence: `${socketPath} answers, and takes the headers of the file` },
      );
    });
    request.on("timeout", () => {
      resolve({ kind: "silent", evidence: `${socketPath} does not answer` });
      request.destroy();
    });
    request.on("error", (error) =>
      resolve({ kind: "nowhere", evidence: `${socketPath}: ${messageOf(error)}` }),
    );
    request.end(body);
  });
}
