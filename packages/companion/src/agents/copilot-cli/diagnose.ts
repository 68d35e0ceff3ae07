import { readdir } from "node:fs/promises";
import http from "node:http";
import path from "node:path";
import { toRealPath } from "../../files/workspace-path.ts";
import { messageOf } from "../../system/error-message.ts";
import type { Host } from "../../system/host.ts";
import { pidIsAlive } from "../../system/liveness.ts";
import { readProcessDetails } from "../../system/processes/process-details.ts";
import { readProcessTable } from "../../system/processes/process-table.ts";
import type { Agent, Diagnosis, Terminal } from "../agent.ts";
import { readFoundFile } from "../discovery/found-file.ts";
import { type CliPackage, examineProgram } from "../doctor/program.ts";
import { findCliProcesses } from "../doctor/running.ts";
import { findSetting, readSettingsFile } from "../doctor/settings-files.ts";
import { createSteps, type Step } from "../doctor/step.ts";
import { findInstalledCli, toStartCommand } from "../installed-cli.ts";
import { copilotSettingsPath, type Lock, lockFolder, readLock } from "./lock-file.ts";

/** How long a companion may take to answer, in milliseconds. */
const patience = 5000;

/** In the order in which the CLI takes them. */
const { ok, note, unreached, failed } = createSteps({
  settings: "Settings",
  "auto-connect": "Connects at its start",
  diffs: "Diffs in the editor",
  approval: "Asks before it writes",
  files: "Lock files",
  handshake: "Handshake",
  running: "Running CLIs",
});

/** Takes every step of a CLI that starts here, now. */
export async function diagnose(agent: Agent, cli: CliPackage, terminal: Terminal): Promise<Diagnosis> {
  const { host } = terminal;
  const folder = toRealPath(terminal.folder);
  const locks = await readLocks(host, folder);
  const chosen = locks.find(({ result }) => result === "fits")?.lock;
  const steps = [
    await examineProgram(agent, cli, host, findInstalledCli(agent, cli, host)),
    ...examineSettings(host),
    examineLocks(locks, { ...terminal, folder }),
    chosen ? await examineHandshake(chosen) : unreached("handshake"),
    ...(await examineRunning(agent, cli, { ...terminal, folder })),
  ];
  return { steps, ide: chosen?.ideName ?? "your editor" };
}

function examineSettings(host: Host): readonly Step[] {
  const file = copilotSettingsPath(host);
  const settings = readSettingsFile(file);
  const allowed = host.env.COPILOT_ALLOW_ALL ?? "";
  const approval = /^(true|1|yes|on|y)$/i.test(allowed)
    ? failed(
        "approval",
        [`COPILOT_ALLOW_ALL=${allowed}: it asks nothing, and so shows no diffs`],
        "Unset COPILOT_ALLOW_ALL.",
      )
    : note(
        "approval",
        "a CLI that was allowed all tools, or not to ask again, shows no diffs",
        "with -p it never connects",
      );
  if (settings?.fault !== undefined) {
    const remedy = `Fix ${file}: ${settings.fault}.`;
    return [failed("settings", [`${file}: ${settings.fault}`], remedy), unreached("auto-connect"), approval];
  }
  const examine = (id: "auto-connect" | "diffs", key: string, effect: string) => {
    const value = settings && findSetting([settings], key)?.value;
    if (value !== false) return ok(id, `${key} is ${value === undefined ? "not set" : String(value)}`);
    return failed(id, [`${key} is false in ${file}`, effect], `Set "${key}" to true in ${file}.`);
  };
  return [
    ok("settings", settings ? `${file}: read` : "no settings file: all defaults"),
    examine("auto-connect", "ide.autoConnect", "it waits until you type /ide"),
    examine("diffs", "ide.openDiffOnEdit", "it asks in its terminal alone"),
    approval,
  ];
}

/** A lock file as the CLI sees it. */
interface JudgedLock {
  readonly path: string;
  readonly result: "fits" | "refused";
  /** For people, the end of a sentence. */
  readonly reason: string;
  /** Absent where it leads nowhere. */
  readonly lock?: Lock;
}

async function readLocks(host: Host, folder: string): Promise<readonly JudgedLock[]> {
  const names = await readdir(lockFolder(host)).catch(() => []); // missing, or closed to us
  const files = names
    .filter((name) => name.endsWith(".lock"))
    .map((name) => path.join(lockFolder(host), name));
  return Promise.all(files.map((file) => judge(file, folder)));
}

async function judge(file: string, folder: string): Promise<JudgedLock> {
  const refused = (reason: string, lock?: Lock): JudgedLock => ({
    path: file,
    result: "refused",
    reason,
    ...(lock && { lock }),
  });
  const found = await readFoundFile(file);
  if (found?.text === undefined) return refused(found?.unreadable ?? "it has just gone");
  try {
    const lock = readLock(found.text);
    if (!pidIsAlive(lock.pid)) return refused(`process ${lock.pid} is gone`);
    const { workspaceFolders } = lock;
    if (workspaceFolders.includes(folder))
      return { path: file, result: "fits", reason: `${lock.ideName} has ${folder} open`, lock };
    const open = workspaceFolders.length === 0 ? "no folder" : workspaceFolders.join(", ");
    return refused(`${lock.ideName} has ${open} open`, lock);
  } catch (error) {
    return refused(messageOf(error));
  }
}

function examineLocks(locks: readonly JudgedLock[], { host, folder, platform }: Terminal): Step {
  const all = locks.map(
    ({ path: file, result, reason }) => `${file} ${result === "fits" ? "fits" : "is refused"}: ${reason}`,
  );
  const fitting = locks.filter(({ result }) => result === "fits");
  if (fitting.length > 1)
    return note("files", ...all, "it takes one of them; /ide shows which, and connects to another");
  if (fitting.length === 1) return ok("files", ...all);
  const evidence = all.length === 0 ? [`there is none in ${lockFolder(host)}`] : all;
  for (const { lock } of locks) {
    const root = lock?.workspaceFolders.find((one) => folder.startsWith(`${one}${path.sep}`));
    if (lock === undefined || root === undefined) continue;
    const why = "it connects at its start only in an open folder itself, not in one below";
    return failed(
      "files",
      [...evidence, why],
      `Start it in ${root}, or type /ide in it and choose ${lock.ideName}.`,
    );
  }
  const remedy = `Start a companion for this folder: ${toStartCommand(folder, host, platform)}`;
  return failed("files", evidence, remedy);
}

/** Asks as the CLI does first, and leaves before it would be shown as one. */
async function examineHandshake({ socketPath, headers, ideName }: Lock): Promise<Step> {
  const remedy = `Restart the companion of ${ideName}: it then writes its lock file again.`;
  try {
    const status = await ask(socketPath, headers);
    if (status !== 401 && status !== 403)
      return ok("handshake", `${socketPath} answers, and takes the headers of the file`);
    return failed("handshake", [`the headers of the file are refused: ${status}`], remedy);
  } catch (error) {
    return failed("handshake", [`${socketPath}: ${messageOf(error)}`], remedy);
  }
}

/** @returns the status of the answer */
function ask(socketPath: string, headers: Lock["headers"]): Promise<number> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 0, method: "server/discover", params: {} });
  const own = {
    host: "localhost",
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const options = { socketPath, method: "POST", path: "/mcp", headers: { ...headers, ...own }, agent: false };
  return new Promise((resolve, reject) => {
    const request = http.request({ ...options, timeout: patience }, (response) => {
      response.destroy();
      resolve(response.statusCode ?? 0);
    });
    request.on("timeout", () => request.destroy(new Error("it does not answer")));
    request.on("error", reject);
    request.end(body);
  });
}

/** The CLIs that run here already, and what keeps them from an editor. */
async function examineRunning(
  agent: Agent,
  cli: CliPackage,
  { folder, platform = process.platform, processes }: Terminal,
): Promise<readonly Step[]> {
  const candidates = findCliProcesses(processes ?? (await readProcessTable(platform)), agent, cli);
  const details = await readProcessDetails(
    candidates.map(({ pid }) => pid),
    platform,
  );
  const here = candidates.filter(({ pid }) => details.get(pid)?.folder === folder);
  const evidence = here.flatMap(({ pid, command }) => {
    if (/\s(-p|--prompt)(\s|=|$)/.test(command))
      return [`process ${pid} answers one prompt, and never connects`];
    if (/\s--allow-all(-tools)?(\s|$)|\s--yolo(\s|$)/.test(command))
      return [`process ${pid} was allowed all tools, and shows no diffs`];
    return [];
  });
  return evidence.length === 0 ? [] : [note("running", ...evidence)];
}
