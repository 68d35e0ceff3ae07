import { WebSocket } from "ws";
import { holds, toRealPath } from "../../../files/workspace-path.ts";
import type { Host } from "../../../system/host.ts";
import { readProcessDetails } from "../../../system/processes/process-details.ts";
import { lineageOf, type ProcessTable, readProcessTable } from "../../../system/processes/process-table.ts";
import { canConnect } from "../../../transport/loopback.ts";
import type { Agent, Diagnosis, Terminal } from "../../agent.ts";
import { type CliPackage, examineProgram } from "../../doctor/program.ts";
import { examineProxy } from "../../doctor/proxy.ts";
import { findCliProcesses, findConnectedClis } from "../../doctor/running.ts";
import { findSetting } from "../../doctor/settings-files.ts";
import { createSteps, type Step } from "../../doctor/step.ts";
import { findInstalledCli, isOlder, toStartCommand } from "../../installed-cli.ts";
import { findEditPermission, loadClaudeSettings } from "../settings.ts";
import { editorTerminal, type JudgedLock, type Search, search } from "./search.ts";

/** In the order in which the CLI takes them. */
const { ok, note, unreached, failed } = createSteps({
  settings: "Settings",
  approval: "Asks before it writes",
  "diff-tool": "Diffs in the editor",
  environment: "Variables",
  "auto-connect": "Connects at its start",
  files: "Lock files",
  choice: "One companion",
  proxy: "Proxy",
  port: "Port",
  handshake: "Handshake",
  running: "Running CLIs",
});

/** Takes every step of a CLI that starts here, now. */
export async function diagnose(agent: Agent, cli: CliPackage, terminal: Terminal): Promise<Diagnosis> {
  const { host, platform = process.platform, pid = process.pid } = terminal;
  const folder = toRealPath(terminal.folder);
  const processes = terminal.processes ?? (await readProcessTable(platform));
  const lineage = lineageOf(processes, pid).map((above) => above.pid);
  const found = await search({ host, folder, lineage, folders: agent.discoveryFolders(host) });
  const installed = findInstalledCli(agent, cli, host);
  const steps = [
    await examineProgram(agent, cli, host, installed),
    ...examineSettings(installed?.package?.version, terminal),
    ...examineSearch(agent, found, { ...terminal, folder }),
    examineProxy(host, cli),
    ...(await examineConnection(found.chosen, host)),
    ...(await examineRunning({ agent, cli, folder, platform, processes, chosen: found.chosen })),
  ];
  return { steps, ide: found.chosen?.content.ide?.displayName ?? "your editor" };
}

function examineSettings(version: string | undefined, { host, folder }: Terminal): readonly Step[] {
  const settings = loadClaudeSettings(host, folder);
  const { config, configPath, files, userPath } = settings;
  const all = [...(config ? [config] : []), ...files];
  const evidence = all.map(({ path, fault }) => `${path}: ${fault ?? "read"}`);
  const shown = evidence.length === 0 ? ["no settings file: all defaults"] : evidence;
  const broken = all.find(({ fault }) => fault !== undefined);
  if (broken) {
    const remedy = `Fix ${broken.path}: ${broken.fault}.`;
    return [
      failed("settings", shown, remedy),
      unreached("approval"),
      unreached("diff-tool"),
      examineEnvironment(host.env),
      unreached("auto-connect"),
    ];
  }
  const permission = findEditPermission(settings, version === undefined || !isOlder(version, "2.1.0"));
  const ask = `Set "permissions": { "ask": ["Edit", "Write"] } in ${userPath}: it then asks in every mode.`;
  const tool = config && findSetting([config], "diffTool");
  return [
    ok("settings", ...shown),
    permission.fault === undefined
      ? ok("approval", permission.evidence)
      : failed("approval", [permission.evidence, permission.fault], ask),
    tool === undefined || tool.value === "auto"
      ? ok("diff-tool", `diffTool is ${tool === undefined ? "not set" : '"auto"'}`)
      : failed(
          "diff-tool",
          [`diffTool is ${JSON.stringify(tool.value)} in ${configPath}`],
          `Set "diffTool": "auto" in ${configPath}.`,
        ),
    examineEnvironment(host.env),
    examineAutoConnect(host.env, config && findSetting([config], "autoConnectIde")?.value, configPath),
  ];
}

const variables = [
  "CLAUDE_CODE_SSE_PORT",
  "CLAUDE_CONFIG_DIR",
  "CLAUDE_CODE_AUTO_CONNECT_IDE",
  "CLAUDE_CODE_IDE_SKIP_VALID_CHECK",
  "CLAUDE_CODE_IDE_HOST_OVERRIDE",
];

function examineEnvironment(env: Terminal["host"]["env"]): Step {
  const set = variables.flatMap((name) => (env[name] ? [`${name}=${env[name]}`] : []));
  return ok("environment", ...(set.length === 0 ? ["none is set: the lock files decide"] : set));
}

/** Whether it looks for an editor alone, or waits for `/ide`. */
function examineAutoConnect(env: Terminal["host"]["env"], setting: unknown, file: string): Step {
  const { CLAUDE_CODE_AUTO_CONNECT_IDE: wanted, CLAUDE_CODE_SSE_PORT: port } = env;
  if (wanted === "0") {
    const evidence = "CLAUDE_CODE_AUTO_CONNECT_IDE=0 has the last word";
    return failed("auto-connect", [evidence], "Unset CLAUDE_CODE_AUTO_CONNECT_IDE.");
  }
  const terminal = editorTerminal(env);
  const reason =
    (wanted === "1" && "CLAUDE_CODE_AUTO_CONNECT_IDE=1") ||
    (port && "CLAUDE_CODE_SSE_PORT names a companion") ||
    (terminal && `this terminal is an editor's: ${terminal}`) ||
    (setting === true && `autoConnectIde is true in ${file}`);
  if (reason) return ok("auto-connect", reason);
  const evidence = `autoConnectIde is ${setting === undefined ? "not set" : JSON.stringify(setting)} in ${file}`;
  return failed(
    "auto-connect",
    [evidence, "it waits until you type /ide"],
    "Switch it on: ide-companion install claude",
  );
}

/** Which companion it takes, if there is one and only one. */
function examineSearch(agent: Agent, { locks, chosen }: Search, terminal: Terminal): readonly Step[] {
  const { host, folder, platform } = terminal;
  const evidence = locks.flatMap((lock) => describeLock(lock));
  const fitting = locks.filter(({ result }) => result === "fits");
  const run = `Start it by: ide-companion run ${agent.name}`;
  if (fitting.length === 0) {
    const isHere = locks.some(({ isForFolder }) => isForFolder);
    const start = `Start a companion for this folder: ${toStartCommand(folder, host, platform)}`;
    const none = evidence.length === 0 ? ["there is none"] : evidence;
    return [failed("files", none, isHere ? run : start), unreached("choice")];
  }
  const files = ok("files", ...evidence);
  if (chosen === undefined) {
    const names = fitting.map(
      ({ content }) => `${content?.ide?.displayName ?? "one"} on port ${content?.port}`,
    );
    const why = "it connects to none of them alone";
    return [files, failed("choice", [`${fitting.length} fit: ${names.join(", ")}`, why], run)];
  }
  const port = host.env.CLAUDE_CODE_SSE_PORT;
  if (!chosen.isForFolder && port === String(chosen.content.port)) {
    const { ide, roots } = chosen.content;
    const window = `CLAUDE_CODE_SSE_PORT names ${ide?.displayName ?? "an editor"} on port ${port}`;
    const open = `it has ${roots.join(", ") || "no folder"} open, and not this folder: it shows no diffs of it`;
    const isHere = locks.some(({ isForFolder }) => isForFolder);
    const start = `Start a companion for this folder: ${toStartCommand(folder, host, platform)}`;
    return [files, failed("choice", [window, open], isHere ? run : start)];
  }
  if (port && port !== String(chosen.content.port)) {
    const unknown = `no lock file has the port ${port} of CLAUDE_CODE_SSE_PORT: the folder decides`;
    return [files, note("choice", chosen.reason, unknown)];
  }
  return [files, ok("choice", chosen.reason)];
}

function describeLock({ found, result, reason }: JudgedLock): readonly string[] {
  const open = found.mode & 0o077 && process.platform !== "win32" ? found.mode.toString(8) : undefined;
  return [
    `${found.path} ${result === "fits" ? "fits" : "is refused"}: ${reason}`,
    ...(open === undefined ? [] : [`others may read its token: its mode is ${open}, and should be 600`]),
  ];
}

/** How long a companion may take to answer, in milliseconds. */
const patience = 5000;

/** Connects as the CLI does, and leaves before it would be shown as one. */
async function examineConnection(chosen: Search["chosen"], { env }: Host): Promise<readonly Step[]> {
  if (chosen === undefined) return [unreached("port"), unreached("handshake")];
  const { port, token, ide } = chosen.content;
  const host = env.CLAUDE_CODE_IDE_HOST_OVERRIDE || "127.0.0.1";
  const name = ide?.displayName ?? "your editor";
  if (!(await canConnect(host, port))) {
    const evidence = `nothing listens on ${host}, port ${port} (${chosen.found.path})`;
    const remedy = `Restart the companion of ${name}: it then writes its lock file again.`;
    return [failed("port", [evidence], remedy), unreached("handshake")];
  }
  const listening = ok("port", `${host}:${port} listens`);
  const fault = await connect(host, port, token);
  if (fault === undefined) return [listening, ok("handshake", "the companion takes the token of the file")];
  const remedy = `Restart the companion of ${name}: it then writes its lock file again.`;
  return [listening, failed("handshake", [fault], remedy)];
}

/** @returns what is wrong, for people */
function connect(host: string, port: number, token = ""): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://${host}:${port}/`, ["mcp"], {
      headers: { "x-claude-code-ide-authorization": token },
      handshakeTimeout: patience,
    });
    const finish = (fault?: string) => {
      resolve(fault);
      socket.terminate();
    };
    socket.once("open", () => finish());
    socket.once("unexpected-response", (_, { statusCode }) =>
      finish(
        statusCode === 401 || statusCode === 403
          ? `the token of the file is refused: ${statusCode}`
          : `port ${port} is served by something else: it answered ${statusCode}`,
      ),
    );
    // Also what follows our own end.
    socket.on("error", ({ message }) => finish(message));
  });
}

interface Place {
  readonly agent: Agent;
  readonly cli: CliPackage;
  /** Absolute. */
  readonly folder: string;
  readonly platform: NodeJS.Platform;
  readonly processes: ProcessTable;
  readonly chosen: Search["chosen"];
}

/** The CLIs that run here already. One that has found no companion within 30 s looks no more, until the user says so. */
async function examineRunning(place: Place): Promise<readonly Step[]> {
  const { agent, cli, folder, platform, processes, chosen } = place;
  const candidates = findCliProcesses(processes, agent, cli);
  const details = await readProcessDetails(
    candidates.map(({ pid }) => pid),
    platform,
  );
  const here = candidates.filter(({ pid }) => {
    const own = details.get(pid)?.folder;
    return own !== undefined && holds([folder], own);
  });
  if (here.length === 0) return [];
  const isConnected = await findConnectedClis(chosen?.content.port, processes, platform);
  const evidence = here.map(({ pid, command }) => {
    if (isConnected(pid)) return `process ${pid} is connected`;
    if (/\s(-p|--print)(\s|$)/.test(command)) return `process ${pid} prints one answer, and never connects`;
    return `process ${pid} is not connected, and looks for an editor only for 30 s: type /ide in it`;
  });
  return [
    here.every(({ pid }) => isConnected(pid)) ? ok("running", ...evidence) : note("running", ...evidence),
  ];
}
