import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { cloudShell, codespaces, devin, firebaseStudio, replit } from "../../../editors/editors.ts";
import { cursor, trae, vscode } from "../../../editors/vscode.ts";
import { tryParseJson } from "../../../system/json.ts";
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
  type Endpoint,
  type Environment,
  type FamilyCli,
  type JudgedFile,
  type TerminalSigns,
  toIdeInfo,
  vscodeFork,
  type WorkspaceCheck,
} from "../family-cli.ts";
import { startRelay } from "../relay.ts";
import { documentedFolders, lockFolder } from "./agent.ts";
import { checkQwenSettings, loadQwenEnvironment, qwenIdeSettings, qwenTrusts } from "./settings.ts";

const variables = {
  port: "QWEN_CODE_IDE_SERVER_PORT",
  workspace: "QWEN_CODE_IDE_WORKSPACE_PATH",
  stdioCommand: "QWEN_CODE_IDE_SERVER_STDIO_COMMAND",
  stdioArgs: "QWEN_CODE_IDE_SERVER_STDIO_ARGS",
} as const;

/**
 * What Qwen Code does on its side.
 * @see docs/reference/contract.md#2-discovery
 */
export const qwenCli: FamilyCli = {
  packageName: "@qwen-code/qwen-code",
  knownVersion: "0.24.4",
  oldestVersion: "0.12.0",
  older: { from: "0.5.0", goBy: ["process", "port"] },
  variables,
  folderVariables: ["QWEN_HOME", "HOME"],
  detectIde,
  discover,
  diagnose: (agent, terminal, all) => diagnose(agent, qwenCli, terminal, all),
  startRelay,
  prepareRun: (finding, host) => writeProcessFiles(finding, qwenCli, host),
  checkSettings: checkQwenSettings,
  loadEnvironment: loadQwenEnvironment,
  ideSettings: qwenIdeSettings,
  trusts: qwenTrusts,
};

/** In the order in which it asks for them; VS Code is what is left. */
const known = [devin, replit, cursor, codespaces, cloudShell, trae, firebaseStudio];

function detectIde(terminal: TerminalSigns): DetectedIde | undefined {
  const { env, command } = terminal;
  return detectBy(terminal, vscode.sign, (sign) => {
    const found = known.find((ide) => ide.sign(env) !== undefined);
    if (found) return { ide: toIdeInfo(found), sign: found.sign(env) ?? sign };
    return { ide: command.toLowerCase().includes("code") ? toIdeInfo(vscode) : vscodeFork, sign };
  });
}

/** A file with its path in the order, and what the CLI thinks of it before it compares it with others. */
interface Candidate {
  readonly file: ReadableFile | JudgedFile;
  /** Why it would be the one, for people. */
  readonly claim: string;
  /** A file without workspace is good enough when the terminal names it. */
  readonly untoldIsFine: boolean;
}

async function discover(environment: Environment): Promise<Discovered> {
  const locks = await openLocks(environment);
  const candidates = [...(await openNamed(environment)), ...locks];
  const fitting = candidates.find((candidate) => describeFault(candidate, environment) === undefined);
  const judged = candidates.map((candidate) => judge(candidate, fitting, environment));
  const files = [...firstOfEach(judged), ...(await openDocumented(environment, judged))];
  const chosen = fitting && isReadable(fitting.file) ? fitting.file : undefined;
  return conclude(files, chosen, locks, environment);
}

function conclude(
  files: readonly JudgedFile[],
  file: ReadableFile | undefined,
  locks: readonly Candidate[],
  environment: Environment,
): Discovered {
  const { host, ideProcess } = environment;
  const content = file?.content;
  const workspace =
    file && content?.workspacePath !== undefined
      ? compare(content.workspacePath, file.found.path, environment)
      : compare(host.env[variables.workspace], variables.workspace, environment);
  const hosts = ["127.0.0.1", ...(environment.inContainer ? [containerHost] : [])];
  const own = file ? toEndpoints(file, hosts, content?.authToken) : [];
  return {
    files,
    chosen: files.find(({ result }) => result === "chosen"),
    ide: detectIde({ env: host.env, command: ideProcess.command, named: content?.ideInfo }),
    workspace,
    hosts,
    endpoints: [
      ...own.filter(({ kind }) => kind === "http"),
      ...(content?.port === undefined ? [] : toFallbacks(locks, content, hosts, environment)),
      ...own.filter(({ kind }) => kind === "stdio"),
      ...toEnvEndpoint(files, content, hosts, environment),
      ...stdioFromEnv(environment, variables),
    ],
  };
}

/** It tries every other lock when the port of the one it goes by does not answer. */
function toFallbacks(
  locks: readonly Candidate[],
  content: ReadableFile["content"],
  hosts: readonly string[],
  environment: Environment,
): readonly Endpoint[] {
  const others = locks.flatMap(({ file }) =>
    isReadable(file) &&
    file.content.port !== content.port &&
    describeStaleness(file, environment) === undefined
      ? [file]
      : [],
  );
  const fits = (file: ReadableFile) =>
    compare(file.content.workspacePath, file.found.path, environment).result;
  const order = [
    ...others.filter((file) => fits(file) === "inside"),
    ...others.filter((file) => fits(file) === "untold"),
  ];
  return order.flatMap((file) =>
    toEndpoints(file, hosts, file.content.authToken ?? content.authToken).filter(
      ({ kind }) => kind === "http",
    ),
  );
}

/** The terminal's port, unless a file has said that its workspace is another one. No variable holds a token. */
function toEnvEndpoint(
  files: readonly JudgedFile[],
  content: ReadableFile["content"] | undefined,
  hosts: readonly string[],
  environment: Environment,
): readonly Endpoint[] {
  const port = portFromEnv(environment, variables);
  if (port === undefined) return [];
  const rejected = files.some((file) => file.result === "refused" && file.content?.port === port);
  if (rejected) return [];
  return [{ kind: "http", hosts, port, token: content?.authToken, source: variables.port }];
}

/** The files that the terminal's port or the IDE's process leads to, before all others. */
async function openNamed(environment: Environment): Promise<readonly Candidate[]> {
  const { host, ideProcess } = environment;
  const port = portFromEnv(environment, variables);
  const byPort = `${variables.port} names its port`;
  const lock = port && (await openFile(path.join(lockFolder(host), `${port}.lock`)));
  const legacy = await openFile(path.join(host.tmp, `qwen-code-ide-server-${ideProcess.pid}.json`));
  const other =
    port && !(legacy && isReadable(legacy))
      ? await openFile(path.join(host.tmp, `qwen-code-ide-server-${port}.json`))
      : undefined;
  const candidates: readonly (readonly [ReadableFile | JudgedFile | 0 | undefined, string])[] = [
    [lock, byPort],
    [legacy, `its name has the IDE's process ${ideProcess.pid}`],
    [other, byPort],
  ];
  return candidates.flatMap(([file, claim]) => (file ? [{ file, claim, untoldIsFine: true }] : []));
}

async function openLocks({ host }: Environment): Promise<readonly Candidate[]> {
  const files = await openFolder(lockFolder(host), /^\d+\.lock$/);
  return files
    .toSorted((a, b) => b.found.writtenAt - a.found.writtenAt)
    .map((file) => ({ file, claim: "the newest that serves this folder", untoldIsFine: false }));
}

/** Companions that went by the specification alone have written here, and it never looks. */
async function openDocumented({ host }: Environment, others: readonly JudgedFile[]) {
  const files = await openFolder(documentedFolders(host)[1], /\.json$/);
  const ports = others.map(({ content }) => content?.port);
  return files
    .filter((file) => !ports.includes(file.content?.port))
    .map((file) => refuse(file, "it stands where the specification says, and Qwen Code does not look there"));
}

/** A folder that is missing or closed to us holds nothing for the CLI either. */
async function openFolder(folder: string, name: RegExp): Promise<readonly (ReadableFile | JudgedFile)[]> {
  const names = await readdir(folder).catch(() => []);
  const named = names.filter((one) => name.test(one));
  const files = await Promise.all(named.map((one) => openFile(path.join(folder, one))));
  return files.filter((file) => file !== undefined);
}

function judge(candidate: Candidate, chosen: Candidate | undefined, environment: Environment): JudgedFile {
  const { file, claim } = candidate;
  if (!isReadable(file)) return file;
  const fault = describeFault(candidate, environment);
  if (fault !== undefined) return refuse(file, fault);
  if (candidate === chosen) return { ...file, result: "chosen", reason: claim };
  return { ...file, result: "fits", reason: "another one comes first" };
}

/** A file may be found by several names; the first is the one that counts. */
const firstOfEach = (files: readonly JudgedFile[]) =>
  files.filter(({ found }, index) => files.findIndex((other) => other.found.path === found.path) === index);

function describeFault({ file, untoldIsFine }: Candidate, environment: Environment): string | undefined {
  if (!isReadable(file)) return file.reason;
  // The files that the terminal names are not looked at for being stale.
  const stale = untoldIsFine ? undefined : describeStaleness(file, environment);
  if (stale !== undefined) return stale;
  const check = compare(file.content.workspacePath, file.found.path, environment);
  return check.result === "untold" && untoldIsFine ? undefined : describeMismatch(check);
}

/** It deletes such locks when it comes by. */
function describeStaleness({ content }: ReadableFile, { isAlive }: Environment): string | undefined {
  const { ppid, workspacePath } = content;
  if (ppid) return isAlive(ppid) ? undefined : `its process ${ppid} is gone: Qwen Code deletes it`;
  if (!workspacePath || existsSync(workspacePath)) return undefined;
  return `it names no process (ppid), and there is no folder ${workspacePath}: Qwen Code deletes it`;
}

function compare(text: string | undefined, source: string, environment: Environment): WorkspaceCheck {
  const parse = (roots: string) =>
    (parseList(roots) ?? roots.split(environment.host.delimiter)).filter((root) => path.isAbsolute(root));
  return checkWorkspace(text, source, environment.folder, parse);
}

/** Some companions write a JSON array. */
function parseList(text: string): readonly string[] | undefined {
  if (!text.trimStart().startsWith("[")) return undefined;
  // The name of a folder may begin with a bracket as well.
  const value = tryParseJson(text);
  return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : undefined;
}
