import { readdir } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import {
  cloudShell,
  codespaces,
  devin,
  firebaseStudio,
  replit,
  sublimeText,
  xcode,
  zed,
} from "../../../editors/editors.ts";
import { jetbrains } from "../../../editors/jetbrains.ts";
import { antigravity, cursor, positron, trae, vscode } from "../../../editors/vscode.ts";
import {
  checkWorkspace,
  containerHost,
  describeMismatch,
  detectBy,
  isReadable,
  openFile,
  portFromEnv,
  type ReadableFile,
  refuse,
  stdioFromEnv,
  toEndpoints,
  writeProcessFiles,
} from "../discovering.ts";
import { diagnose } from "../doctor/diagnose.ts";
import {
  type DetectedIde,
  type Discovered,
  type Environment,
  type FamilyCli,
  type JudgedFile,
  type TerminalSigns,
  toIdeInfo,
  vscodeFork,
  type WorkspaceCheck,
} from "../family-cli.ts";
import { startRelay } from "../relay.ts";
import { checkGeminiSettings, geminiIdeSettings, geminiTrusts, loadGeminiEnvironment } from "./settings.ts";

const variables = {
  port: "GEMINI_CLI_IDE_SERVER_PORT",
  workspace: "GEMINI_CLI_IDE_WORKSPACE_PATH",
  token: "GEMINI_CLI_IDE_AUTH_TOKEN",
  stdioCommand: "GEMINI_CLI_IDE_SERVER_STDIO_COMMAND",
  stdioArgs: "GEMINI_CLI_IDE_SERVER_STDIO_ARGS",
} as const;

/**
 * What Gemini CLI does on its side.
 * @see docs/reference/contract.md#2-discovery
 */
export const geminiCli: FamilyCli = {
  packageName: "@google/gemini-cli",
  knownVersion: "0.61.0",
  oldestVersion: "0.31.0",
  older: { from: "0.8.0", goBy: ["process"] },
  variables,
  folderVariables: ["TMPDIR"],
  detectIde,
  discover,
  diagnose: (agent, terminal, all) => diagnose(agent, geminiCli, terminal, all),
  startRelay,
  prepareRun: (finding, host) => writeProcessFiles(finding, geminiCli, host),
  checkSettings: checkGeminiSettings,
  loadEnvironment: loadGeminiEnvironment,
  ideSettings: geminiIdeSettings,
  trusts: geminiTrusts,
};

/** In the order in which it asks for them; VS Code is what is left. */
const known = [
  antigravity,
  devin,
  replit,
  cursor,
  codespaces,
  cloudShell,
  trae,
  firebaseStudio,
  positron,
  sublimeText,
  zed,
  xcode,
  jetbrains,
];

/** Without one of these it takes no terminal for an IDE's. */
const gates = [vscode, sublimeText, zed, xcode, jetbrains];

function detectIde(terminal: TerminalSigns): DetectedIde | undefined {
  const { env, command } = terminal;
  const gate = () => gates.map((ide) => ide.sign(env)).find((sign) => sign !== undefined);
  return detectBy(terminal, gate, (sign) => {
    const found = known.find((ide) => ide.sign(env) !== undefined);
    const lower = command.toLowerCase();
    if (found === jetbrains) {
      return { ide: jetbrains.findProduct?.(command) ?? toIdeInfo(jetbrains), sign };
    }
    if (found) return { ide: toIdeInfo(found), sign: found.sign(env) ?? sign };
    return { ide: lower === "" || lower.includes("code") ? toIdeInfo(vscode) : vscodeFork, sign };
  });
}

const namePattern = /^gemini-ide-server-(\d+)-\d+\.json$/;

interface Candidate {
  readonly pid: number;
  readonly file: ReadableFile;
}

async function discover(environment: Environment): Promise<Discovered> {
  const { host, ideProcess } = environment;
  const folder = path.join(host.tmp, "gemini", "ide");
  const legacyName = `gemini-ide-server-${ideProcess.pid}.json`;
  const legacy = await open(path.join(folder, legacyName), environment);
  const named = await openFolder(folder, environment, legacyName);
  const candidates = sortCandidates(named.candidates, environment);
  const chosen = legacy && isReadable(legacy) ? legacy : choose(candidates, environment);
  const files = [
    ...(legacy === undefined ? [] : [isReadable(legacy) ? toChosenLegacy(legacy) : legacy]),
    ...candidates.map((candidate) => judge(candidate, candidates, chosen, environment)),
    ...named.refused,
  ];
  return conclude(files, chosen, environment);
}

function conclude(files: readonly JudgedFile[], file: ReadableFile | undefined, environment: Environment) {
  const { host, ideProcess } = environment;
  const content = file?.content;
  const workspace =
    file && content?.workspacePath !== undefined
      ? compare(content.workspacePath, file.found.path, environment)
      : compare(host.env[variables.workspace], variables.workspace, environment);
  const token = content?.authToken ?? host.env[variables.token];
  const hosts = [toIdeHost(environment)];
  const port = portFromEnv(environment, variables);
  return {
    files,
    chosen: files.find(({ result }) => result === "chosen"),
    ide: detectIde({ env: host.env, command: ideProcess.command, named: content?.ideInfo }),
    workspace,
    hosts,
    endpoints: [
      ...(file ? toEndpoints(file, hosts, token) : []),
      ...(port === undefined ? [] : [{ kind: "http", hosts, port, token, source: variables.port } as const]),
      ...stdioFromEnv(environment, variables),
    ],
  };
}

/** In a container it expects its IDE outside, unless it seems to have been reached from outside itself. */
function toIdeHost({ host: { env }, inContainer }: Environment): string {
  const remote = env.SSH_CONNECTION || env.VSCODE_REMOTE_CONTAINERS_SESSION || env.REMOTE_CONTAINERS;
  return inContainer && !remote ? containerHost : "127.0.0.1";
}

async function openFolder(folder: string, environment: Environment, legacyName: string) {
  // A folder that is missing or closed to us holds nothing for the CLI either.
  const names = await readdir(folder).catch(() => []);
  const candidates: Candidate[] = [];
  const refused: JudgedFile[] = [];
  for (const name of names.filter(
    (each) => /^gemini-ide-server.*\.json$/.test(each) && each !== legacyName,
  )) {
    const file = await open(path.join(folder, name), environment);
    const pid = namePattern.exec(name)?.[1];
    if (file === undefined) continue;
    if (!isReadable(file)) refused.push(file);
    else if (pid === undefined) refused.push(refuse(file, describeName(name, environment)));
    else candidates.push({ pid: Number(pid), file });
  }
  return { candidates, refused };
}

function describeName(name: string, { ideProcess }: Environment): string {
  const [, pid] = /^gemini-ide-server-(\d+)\.json$/.exec(name) ?? [];
  if (pid === undefined) return "its name is not gemini-ide-server-PID-PORT.json";
  return `its name has no port, and ${pid} is not the IDE's process, which is ${ideProcess.pid}`;
}

async function open(file: string, { uid }: Environment): Promise<ReadableFile | JudgedFile | undefined> {
  const opened = await openFile(file);
  if (opened === undefined || uid === null || opened.found.uid === uid || opened.found.uid === -1)
    return opened;
  return refuse(opened, `it belongs to user ${opened.found.uid}, and must belong to you (user ${uid})`);
}

/** Its own process first, then those that live, then the highest id. */
function sortCandidates(
  candidates: readonly Candidate[],
  { ideProcess, isAlive }: Environment,
): readonly Candidate[] {
  const rank = ({ pid }: Candidate) => (pid === ideProcess.pid ? 2 : isAlive(pid) ? 1 : 0);
  return candidates.toSorted((a, b) => rank(b) - rank(a) || b.pid - a.pid);
}

function choose(candidates: readonly Candidate[], environment: Environment): ReadableFile | undefined {
  const fitting = candidates.filter(({ file }) => describeFault(file, environment) === undefined);
  // When none fits it goes by one that does not, to complain about it.
  const pool = fitting.length === 0 ? candidates : fitting;
  const port = environment.host.env[variables.port];
  const byPort = pool.find(({ file }) => String(file.content.port) === port);
  return (byPort ?? pool[0])?.file;
}

function judge(
  { pid, file }: Candidate,
  all: readonly Candidate[],
  chosen: ReadableFile | undefined,
  environment: Environment,
): JudgedFile {
  const fault = describeFault(file, environment);
  if (file !== chosen) {
    const gone = environment.isAlive(pid) ? "" : `, and its process ${pid} is gone`;
    return fault === undefined
      ? { ...file, result: "fits", reason: `another one comes first${gone}` }
      : refuse(file, fault);
  }
  const { host, ideProcess, isAlive } = environment;
  const fitting = all.filter((each) => describeFault(each.file, environment) === undefined).length;
  const reason = () => {
    if (fault !== undefined) return `none serves this folder; of this one it says: ${fault}`;
    if (fitting === 1) return "the only one that serves this folder";
    if (host.env[variables.port] === String(file.content.port)) return `${variables.port} names its port`;
    if (pid === ideProcess.pid) return `its name has the IDE's process ${pid}`;
    return `of ${fitting} that serve this folder its process ${pid} ${isAlive(pid) ? "is the newest" : "had the highest id; all are gone"}`;
  };
  return { ...file, result: "chosen", reason: reason() };
}

const toChosenLegacy = (file: ReadableFile): JudgedFile => ({
  ...file,
  result: "chosen",
  reason: "its name has the IDE's process and no port, which comes before all others",
});

function describeFault({ content, found }: ReadableFile, environment: Environment): string | undefined {
  return describeMismatch(compare(content.workspacePath, found.path, environment));
}

/** It takes URLs and percent signs in paths for what they stand for, in its own folder's as well. */
const toPlainPath = (root: string, { folder }: Environment) => {
  try {
    return path.resolve(folder, decodeURIComponent(root.startsWith("file://") ? fileURLToPath(root) : root));
  } catch {
    return path.resolve(folder, root); // a percent sign that stands for itself
  }
};

function compare(text: string | undefined, source: string, environment: Environment): WorkspaceCheck {
  const parse = (roots: string) =>
    roots.split(environment.host.delimiter).map((root) => toPlainPath(root, environment));
  return checkWorkspace(text, source, toPlainPath(environment.folder, environment), parse);
}
