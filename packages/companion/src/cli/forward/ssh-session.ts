import { execFile, spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { Host } from "../../system/host.ts";
import { Listeners } from "../../system/listeners.ts";
import { quoteForShell } from "../../system/shell-word.ts";
import { createLineLimit } from "../../transport/line-limit.ts";
import { tooLong } from "../../transport/message-limit.ts";
import { farSideScript } from "./far-side.ts";

/** How often the other machine hears that we are there, in milliseconds. */
const beat = 10_000;
/** How long the other machine may take to tidy up, in milliseconds. */
const patience = 5000;

export interface SshOptions {
  /** As `ssh` takes it. */
  readonly host: string;
  /** Each as ssh's `-o`. */
  readonly options: readonly string[];
  /** Of 127.0.0.1: what agents over there reach. */
  readonly ports: readonly number[];
  /** A private folder of this machine, by which more routes are added later; absent where ssh cannot do that. */
  readonly folder?: string | undefined;
  /** The names of variables over there that move the folders of agents. */
  readonly variables: readonly string[];
  /** What ssh itself says, line by line: questions and errors. */
  readonly onMessage: (line: string) => void;
  /** Gives up what has not got through yet. */
  readonly signal: AbortSignal;
}

/** What the other machine tells of itself. Of its variables, those that move the folders of agents. */
export interface FarHost extends Host {
  /** Where agents over there reach us, by our ports. */
  readonly ports: ReadonlyMap<number, number>;
  readonly uid: number;
  /** A process that lives as long as the connection. */
  readonly pid: number;
}

/** A connection by the user's own ssh. */
export type SshSession = Awaited<ReturnType<typeof openSsh>>;

const fixed = [
  // The user's own forwards may be taken by another connection of theirs: only ours must succeed.
  "ExitOnForwardFailure=no",
  // The user's own would take the place of ours.
  "RemoteCommand=none",
  // A broken connection must be noticed, on either side.
  "ServerAliveInterval=15",
  "ServerAliveCountMax=3",
  // It says which port it was given.
  "LogLevel=INFO",
];

/** @throws Error when ssh cannot be started, or does not get through; it has said why */
export async function openSsh(options: SshOptions) {
  const { host, ports, signal } = options;
  const control = controlOf(options);
  const child = startSsh(options, control);
  const { farPorts, refusals } = followErrors(child, options);
  const lines = linesOf(child.stdout, options)[Symbol.asyncIterator]();
  child.stdin.on("error", () => {}); // it has ended, which is reported below
  const ended = new Promise<void>((resolve, reject) => {
    child.once("error", (error) => reject(new Error(`ssh cannot be started: ${error.message}`)));
    child.once("exit", () => resolve());
  });
  const failed = ended.then(() => {
    throw new Error(`ssh has not got through to ${host}`);
  });
  failed.catch(() => {}); // of interest only until we are through
  const read = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`the connection to ${host} has ended`);
    return String(value);
  };
  const giveUp = () => void child.kill();
  signal.addEventListener("abort", giveUp);
  const facts = await Promise.race([readFacts(read).catch(() => failed), failed]);
  const far = { ...facts, ports: ports.length === 0 ? new Map() : await Promise.race([farPorts, failed]) };
  signal.removeEventListener("abort", giveUp);
  const timer = setInterval(() => child.stdin.write("beat\n"), beat);
  void ended.then(() => clearInterval(timer));
  const say = async (...words: string[]) => {
    child.stdin.write(words.map((word) => `${oneLine(word)}\n`).join(""));
    const answer = await read();
    if (!answer.startsWith("ok")) throw new Error(answer.replace(/^no /, ""));
    return answer.slice("ok ".length);
  };
  return {
    far,
    ended,
    /**
     * Has the other machine do something: see `farSideScript`.
     * @returns what it says of it @throws Error that says why it cannot
     */
    say,
    /**
     * Adds a route to the connection, as ssh's option does: `-R` from a socket there, `-L` from one here.
     * @throws Error that says why it cannot
     */
    addRoute: (option: "-L" | "-R", from: string, to: string) =>
      addRoute(["-o", `ControlPath=${control}`, option, toRoute(from, to), "--", host]),
    /** Called each time that nobody has taken a connection by a route of `-L`. @returns ends it */
    onRefusal: refusals.add,
    async close() {
      clearInterval(timer);
      child.stdin.end();
      const late = setTimeout(() => child.kill(), patience);
      await ended.catch(() => {}); // it was never started
      clearTimeout(late);
    },
  };
}

/** Over somebody else's connection the port would stay open after us. */
const controlOf = ({ folder }: SshOptions) =>
  folder === undefined ? "none" : path.join(folder, "ssh").replaceAll("%", "%%");

function startSsh({ host, options, ports, folder, variables }: SshOptions, control: string) {
  const sharing = [
    `ControlMaster=${folder === undefined ? "no" : "yes"}`,
    "ControlPersist=no",
    `ControlPath=${control}`,
  ];
  const settings = [...options, ...fixed, ...sharing].flatMap((option) => ["-o", option]);
  const routes = ports.flatMap((port) => ["-R", `127.0.0.1:0:127.0.0.1:${port}`]);
  const script = `exec sh -c ${quoteForShell(farSideScript(variables))}`;
  const words = ["-T", ...settings, ...routes, "--", host, script];
  // The terminal's Ctrl-C is for us: the far side has to tidy up first. It is ssh's terminal as well, for its questions.
  const [program, args] =
    process.platform === "win32"
      ? ["ssh", words]
      : ["sh", ["-c", 'trap "" INT; exec ssh "$@"', "sh", ...words]];
  return spawn(program, args, { stdio: "pipe" });
}

const linesOf = (output: Readable, { host, onMessage }: SshOptions) =>
  createInterface(output.pipe(createLineLimit(() => onMessage(`A line of ${host} is ${tooLong}.`))));

/** Reads what ssh says: the ports that it was given over there, connections that nobody takes, and all else for people. */
function followErrors(child: ReturnType<typeof startSsh>, options: SshOptions) {
  const refusals = new Listeners();
  const farPorts = new Promise<ReadonlyMap<number, number>>((resolve) => {
    const known = new Map<number, number>();
    linesOf(child.stderr, options).on("line", (line) => {
      const [, far, own] = /^Allocated port (\d+) for remote forward to \S+:(\d+)/.exec(line) ?? [];
      if (/^channel \d+: open failed/.test(line)) {
        refusals.tell();
        return;
      }
      if (/remote port forwarding failed for listen port 0\b/.test(line)) child.kill();
      if (far === undefined) return options.onMessage(line);
      known.set(Number(own), Number(far));
      if (known.size === options.ports.length) resolve(known);
    });
  });
  return { farPorts, refusals };
}

async function readFacts(read: () => Promise<string>): Promise<Omit<FarHost, "ports">> {
  const facts = new Map<string, string>();
  // A login shell may greet first.
  for (let line = await read(); line !== "ready"; line = await read()) {
    const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) facts.set(name, value);
  }
  const tmp = (facts.get("tmp") ?? "/tmp").replace(/(.)\/+$/, "$1");
  const [pid, uid] = [Number(facts.get("pid")), Number(facts.get("uid"))];
  const env = Object.fromEntries(
    [...facts].flatMap(([name, value]) =>
      name.startsWith("env_") && value !== "" ? [[name.slice(4), value]] : [],
    ),
  );
  return { tmp, home: facts.get("home") ?? "", env, delimiter: ":", uid, pid };
}

/** By the connection that there is, and without a new one. */
function addRoute(args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile("ssh", ["-O", "forward", ...args], (error, _, stderr) => {
      if (error)
        reject(new Error(`ssh shares no socket: ${stderr.trim().split("\n").at(-1) || error.message}`));
      else resolve();
    });
  });
}

const toRoute = (from: string, to: string) =>
  [from, to].map((file) => file.replaceAll(/[\\:]/g, "\\$&")).join(":");

/** @throws Error for a name that would be two lines */
function oneLine(word: string): string {
  if (/[\r\n]/.test(word)) throw new Error(`a line break in ${JSON.stringify(word)} cannot be sent`);
  return word;
}
