import { execFile } from "node:child_process";
import { readdir, readFile, readlink } from "node:fs/promises";
import { promisify } from "node:util";
import { z } from "zod";
import { isObject, tryParseJson } from "../json.ts";
import type { Ends } from "../liveness.ts";

const run = promisify(execFile);

/** What a system tells of one process besides what is in the table. What it does not tell is undefined. */
export interface ProcessDetails {
  /** Grows from process to process; to be compared with another one's, and with nothing else. */
  readonly startedAt: number | undefined;
  /** Absolute path of its working folder. */
  readonly folder: string | undefined;
  /** The variables it was started with. */
  readonly env: Readonly<Record<string, string>> | undefined;
}

/** Asks the system about some processes of ours. Windows tells no folder and no variables. */
export async function readProcessDetails(
  pids: readonly number[],
  platform: NodeJS.Platform = process.platform,
): Promise<ReadonlyMap<number, ProcessDetails>> {
  if (pids.length === 0) return new Map();
  const { times, folders, envs } = await (platform === "linux"
    ? readLinux(pids)
    : platform === "win32"
      ? readWindows(pids)
      : readUnix(pids));
  return new Map(
    pids.map((pid) => [pid, { startedAt: times.get(pid), folder: folders.get(pid), env: envs.get(pid) }]),
  );
}

/**
 * The process at the other end of a connection on this machine.
 * @returns undefined where the system does not tell
 */
export async function findClientProcess(connection: Ends): Promise<number | undefined> {
  const { platform } = process;
  const { remotePort, localPort } = connection;
  if (platform === "win32") return undefined;
  if (remotePort === undefined || localPort === undefined) return findLocalClient(connection);
  if (platform !== "linux") {
    const text = await output("lsof", ["-nP", "-a", `-iTCP:${remotePort}`, "-sTCP:ESTABLISHED", "-Fpn"]);
    return parseHolder(text, remotePort, localPort);
  }
  const tables = await Promise.all(["/proc/net/tcp", "/proc/net/tcp6"].map(textOf));
  const sockets = new Set(tables.flatMap((table) => parseConnections(table, localPort, remotePort)));
  return (await holdersOf(await allPids(), sockets))[0];
}

/** Whether a process reads from a terminal and writes to one; undefined where the system does not tell. */
export async function hasTerminal(pid: number): Promise<boolean | undefined> {
  const { platform } = process;
  if (platform === "win32") return undefined;
  const isTerminal = (name: string) => /^\/dev\/(?:pts\/|tty)/.test(name);
  if (platform !== "linux") {
    const text = await output("lsof", ["-a", "-p", String(pid), "-d", "0,1", "-Fn"]);
    return [...text.matchAll(/^n(.*)$/gm)].filter(([, name = ""]) => isTerminal(name)).length === 2;
  }
  const ends = [0, 1].map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => "")); // gone, or another user's
  return (await Promise.all(ends)).every(isTerminal);
}

/** The same for a socket of the file system, which has no ports. */
async function findLocalClient(connection: Ends): Promise<number | undefined> {
  // Node tells its number nowhere else.
  const handle: unknown = Reflect.get(connection, "_handle");
  if (!isObject(handle) || typeof handle.fd !== "number" || handle.fd < 0) return undefined;
  if (process.platform !== "linux") {
    const text = await output("lsof", ["-nP", "-U", "-Fpfdn"]);
    return parseLocalHolder(text, process.pid, handle.fd);
  }
  const own = inodeOf(await readlink(`/proc/self/fd/${handle.fd}`).catch(() => ""));
  const other = own === undefined ? undefined : parseLocalPeer(await output("ss", ["-xHn"]), own);
  return other === undefined ? undefined : (await holdersOf(await allPids(), new Set([other])))[0];
}

const allPids = async () =>
  (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);

interface Readings {
  readonly times: ReadonlyMap<number, number>;
  readonly folders: ReadonlyMap<number, string>;
  readonly envs: ReadonlyMap<number, Readonly<Record<string, string>>>;
}

async function readLinux(pids: readonly number[]): Promise<Readings> {
  const each = async <T>(read: (folder: string) => Promise<T | undefined>) => {
    const values = await Promise.all(pids.map(async (pid) => [pid, await read(`/proc/${pid}`)] as const));
    return new Map(values.flatMap(([pid, value]) => (value === undefined ? [] : [[pid, value] as const])));
  };
  return {
    times: await each(async (folder) => parseStartTime(await textOf(`${folder}/stat`))),
    folders: await each((folder) => readlink(`${folder}/cwd`).catch(() => undefined)), // gone, or another user's
    envs: await each(async (folder) => parseEnvironment((await textOf(`${folder}/environ`)).split("\0"))),
  };
}

async function readUnix(pids: readonly number[]): Promise<Readings> {
  const list = pids.join(",");
  const [times, folders, envs] = await Promise.all([
    output("ps", ["-o", "pid=,lstart=", "-p", list]),
    output("lsof", ["-a", "-d", "cwd", "-p", list, "-Fpn"]),
    output("ps", ["eww", "-o", "pid=,command=", "-p", list]),
  ]);
  return { times: parseStarts(times), folders: parseFolders(folders), envs: parsePsEnvironments(envs) };
}

async function readWindows(pids: readonly number[]): Promise<Readings> {
  const filter = pids.map((pid) => `ProcessId=${pid}`).join(" OR ");
  const started = "@{n='StartedAt';e={([DateTimeOffset]$_.CreationDate).ToUnixTimeMilliseconds()}}";
  const command = `Get-CimInstance Win32_Process -Filter '${filter}' | Select-Object ProcessId,${started} | ConvertTo-Json -Compress`;
  const text = await output("powershell", ["-NoProfile", "-NonInteractive", "-Command", command]);
  return { times: parseWin32Starts(text), folders: new Map(), envs: new Map() };
}

/** Clock ticks since the system's start, in `/proc/PID/stat`. */
export function parseStartTime(stat: string): number | undefined {
  // The name in brackets may hold anything; 19 fields stand between it and this one.
  const ticks = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  return ticks === undefined ? undefined : Number(ticks);
}

/** Reads what `ps -o pid=,lstart=` prints in English. @returns milliseconds since 1970 */
export function parseStarts(text: string): ReadonlyMap<number, number> {
  const lines = [...text.matchAll(/^\s*(\d+)\s+(\S.*?)\s*$/gm)];
  const times = lines.map(([, pid, date]) => [Number(pid), Date.parse(date ?? "")] as const);
  return new Map(times.filter(([, time]) => !Number.isNaN(time)));
}

/** Reads what `lsof -d cwd -Fpn` prints. */
export function parseFolders(text: string): ReadonlyMap<number, string> {
  return new Map(
    [...text.matchAll(/^p(\d+)\n(?:f.*\n)?n(.+)$/gm)].map(([, pid, folder]) => [Number(pid), folder ?? ""]),
  );
}

/** Reads what `ps eww -o pid=,command=` prints: a value ends where another variable begins. */
export function parsePsEnvironments(text: string): ReadonlyMap<number, Readonly<Record<string, string>>> {
  const envs = new Map<number, Readonly<Record<string, string>>>();
  for (const [, pid, line = ""] of text.matchAll(/^\s*(\d+)\s+(.*)$/gm)) {
    const env = parseEnvironment(line.split(/\s(?=[A-Za-z_]\w*=)/));
    if (env) envs.set(Number(pid), env);
  }
  return envs;
}

const Win32Start = z.object({ ProcessId: z.int(), StartedAt: z.number() });

/** Reads what PowerShell prints as JSON: a list, or a single object. */
export function parseWin32Starts(json: string): ReadonlyMap<number, number> {
  const found = [tryParseJson(json)].flat().map((item) => Win32Start.safeParse(item).data);
  return new Map(found.flatMap((item) => (item ? [[item.ProcessId, item.StartedAt] as const] : [])));
}

/** Reads what `lsof -iTCP:PORT -Fpn` prints: the process whose own end has the port. */
export function parseHolder(text: string, port: number, peerPort: number): number | undefined {
  let pid: number | undefined;
  for (const line of text.split("\n")) {
    if (/^p\d+$/.test(line)) pid = Number(line.slice(1));
    if (line.startsWith("n") && line.includes(`:${port}->`) && line.endsWith(`:${peerPort}`)) return pid;
  }
  return undefined;
}

/** Reads what `ss -xHn` prints. @returns the inode of the socket at the other end of one */
export function parseLocalPeer(text: string, inode: string): string | undefined {
  // Names of sockets may hold anything: where two lines fit, nobody knows.
  const peers = text.split("\n").flatMap((line) => / (\d+) +\S+ +(\d+) *$/.exec(line)?.slice(1, 3) ?? []);
  const found = peers.filter((_, at) => at % 2 === 1 && peers[at - 1] === inode);
  return found.length === 1 ? found[0] : undefined;
}

/**
 * Reads what `lsof -U -Fpfdn` prints: of the end that has no name, the name is an arrow and the other end's address.
 * @returns the process at the other end of a socket that a process has as `fd`
 */
export function parseLocalHolder(text: string, pid: number, fd: number): number | undefined {
  const sockets = [...text.matchAll(/^p(\d+)$|^f(\d+)\w*\n(?:d(.*)\n)?(?:n(.*))?$/gm)];
  let holder = 0;
  const all = sockets.flatMap(([, process, number, address, name]) => {
    if (process !== undefined) holder = Number(process);
    return number === undefined ? [] : [{ holder, fd: Number(number), address, name }];
  });
  const own = all.find((one) => one.holder === pid && one.fd === fd)?.address;
  return own === undefined ? undefined : all.find(({ name }) => name === `->${own}`)?.holder;
}

/**
 * The inodes of the sockets that are connected to a port, in a table as `/proc/net/tcp` is one.
 * @param from only those whose own end has this port
 * @see https://docs.kernel.org/networking/proc_net_tcp.html
 */
export function parseConnections(table: string, port: number, from?: number): readonly string[] {
  const remote = toHex(port);
  const own = from === undefined ? "\\w+" : toHex(from);
  const line = new RegExp(`: \\w+:${own} \\w+:${remote} 01 \\S+ \\S+ \\S+ +\\d+ +\\d+ (\\d+) `, "g");
  return [...table.matchAll(line)].map(([, inode]) => inode ?? "");
}

const toHex = (port: number) => port.toString(16).toUpperCase().padStart(4, "0");

async function holdersOf(pids: readonly number[], sockets: ReadonlySet<string>): Promise<readonly number[]> {
  const holders = await Promise.all(pids.map(async (pid) => ({ pid, holds: await holdsOne(pid, sockets) })));
  return holders.filter(({ holds }) => holds).map(({ pid }) => pid);
}

const inodeOf = (link: string) => /^socket:\[(\d+)\]$/.exec(link)?.[1];

async function holdsOne(pid: number, sockets: ReadonlySet<string>): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => []); // gone, or another user's
  const links = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => "")));
  return links.some((link) => sockets.has(inodeOf(link) ?? ""));
}

function parseEnvironment(pairs: readonly string[]): Readonly<Record<string, string>> | undefined {
  const set = pairs.filter((pair) => pair.includes("="));
  if (set.length === 0) return undefined;
  return Object.fromEntries(
    set.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  );
}

const textOf = (file: string) => readFile(file, "utf8").catch(() => ""); // gone, or another user's

async function output(program: string, args: readonly string[]): Promise<string> {
  const options = { timeout: 5000, maxBuffer: 16 * 1024 * 1024, env: { ...process.env, LC_ALL: "C" } };
  try {
    return (await run(program, [...args], options)).stdout;
  } catch {
    return ""; // no such program, or no such process
  }
}
