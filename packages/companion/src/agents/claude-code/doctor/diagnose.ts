import { toRealPath } from "../../../files/workspace-path.ts";
import { lineageOf, readProcessTable } from "../../../system/processes/process-table.ts";
import type { Agent, Diagnosis, Terminal } from "../../agent.ts";
import { type CliPackage, examineProgram } from "../../doctor/program.ts";
import { examineProxy } from "../../doctor/proxy.ts";
import { findSetting } from "../../doctor/settings-files.ts";
import type { Step } from "../../doctor/step.ts";
import { findInstalledCli, isOlder } from "../../installed-cli.ts";
import { toStartCommand } from "../../start-command.ts";
import { findEditPermission, loadClaudeSettings } from "../settings.ts";
import { examineConnection } from "./connection.ts";
import { examineRunning } from "./running.ts";
import { editorTerminal, type JudgedLock, type Search, search } from "./search.ts";
import { failed, note, ok, unreached } from "./steps.ts";

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
