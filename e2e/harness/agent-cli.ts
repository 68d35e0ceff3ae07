import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { killTree, standStill } from "../../packages/testkit/src/process-tree.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { compiled } from "../../scripts/set-up/compiled-agents.mjs";
import { type Model, startModel, type Turn } from "./model.ts";
import { hasEnded, insistOn, pressUntil, squeeze, startTerminal, type Terminal } from "./terminal.ts";
import { createTurns } from "./turns.ts";

/** How one agent CLI is installed, set up and spoken to; one entry in a separate file. */
export interface AgentKind {
  /** As typed after `ide-companion run`. */
  readonly name: string;
  readonly displayName: string;
  /** Program and arguments that start it. */
  readonly command: readonly string[];
  /** Its folder in HOME. */
  readonly folder: string;
  readonly settings: object;
  env(model: Model): Readonly<Record<string, string>>;
  /** Tool of the model that replaces text of a file: arguments as this CLI wants them. */
  replaceCall(
    filePath: string,
    before: string,
    after: string,
  ): { call: string; args: Record<string, unknown> };
  /** What the screen says of a change that was rejected. */
  readonly rejected: RegExp;
}

export interface AgentOptions {
  readonly cwd?: string;
  /** Instead of the kind's own. */
  readonly command?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** It may start itself once more, as it does for its users: needed where it restarts. */
  readonly relaunches?: boolean;
  /** Folders outside of the workspace that the user trusts. */
  readonly trusted?: readonly string[];
  /** Starts the terminal that it runs in; a separate tmux when absent. */
  readonly start?: typeof startTerminal;
  /** Settings instead of the kind's own; a string is written as it is. */
  readonly settings?: object | string;
  /** The user has said that the workspace is not to be trusted. */
  readonly distrusts?: boolean;
}

/** The question that both CLIs ask while the IDE shows the diff. */
const question = "Apply this change?";
/** What stands in the input line of both CLIs as long as nothing is typed. */
const placeholder = "Type your message";
/**
 * Milliseconds after a loss within which a CLI tries its old companion once more, without a word; each attempt undoes
 * an `/ide enable` before it.
 */
const untilGivenUp = 3000;
/** Milliseconds after a key within which Gemini CLI takes Enter for a part of a paste (30), and some to spare. */
const pasteTime = 100;
/**
 * Gemini CLI starts itself once more to have more memory, which takes a quarter of its start-up. Where the test itself
 * says how it is started (`run`, an editor's terminal), it does as for its users.
 */
export const oneProcess = { GEMINI_CLI_NO_RELAUNCH: "true" };
const isAnswered = (screen: string) => !screen.includes(question);

/** A real agent CLI in a real terminal, with a private scripted model. */
export type AgentCli = Awaited<ReturnType<typeof startAgent>>;

/** Starts one and waits until it is connected. */
export async function startConnected(
  sandbox: Sandbox,
  kind: AgentKind,
  options?: AgentOptions,
): Promise<AgentCli> {
  const cli = await startAgent(sandbox, kind, options);
  await cli.connected();
  return cli;
}

export async function startAgent(sandbox: Sandbox, kind: AgentKind, options: AgentOptions = {}) {
  const model = await startModel(sandbox);
  const { trusted = [], settings, distrusts } = options;
  await writeSettings(sandbox, kind, trusted, settings, distrusts);
  const isPlain = !options.relaunches && options.command === undefined && options.start === undefined;
  const terminal = await (options.start ?? startTerminal)(sandbox, {
    command: options.command ?? kind.command,
    env: {
      NODE_COMPILE_CACHE: compiled,
      ...kind.env(model),
      ...(isPlain && oneProcess),
      ...options.env,
    },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  const say = (text: string) => send(terminal, text);
  const turns = createTurns({ model, terminal, say });
  const ideStatus = (wanted: string) => askForStatus(terminal, say, wanted);
  const disconnected = () => ideStatus("Disconnected");
  const propose = async (...calls: readonly Turn[]) => {
    await turns.propose(...calls);
    await terminal.waitFor(question);
  };
  const kill = () => killTree(terminal.pid);
  return {
    kind,
    displayName: kind.displayName,
    terminal,
    model,
    /** Types a prompt or a slash command and sends it. */
    say,
    /** Sends what is typed already. */
    submit: () => submit(terminal),
    /** Asks until this is its answer. */
    ideStatus,
    /** Waits until it takes input and says that it is connected to an IDE. */
    connected: () => ideStatus("Connected to"),
    /** Waits until it says that it has lost its IDE. */
    disconnected,
    /** Waits until it has noticed that its companion is lost, and connects it to the one that is there now. */
    async reconnected() {
      await disconnected();
      await delay(untilGivenUp);
      await say("/ide enable");
      await ideStatus("Connected to");
    },
    /** Lets the model write a whole file; resolves when the terminal asks for a confirmation. */
    proposeWrite: (path: string, content: string) =>
      // Some CLIs write over a file only after the model has read it.
      propose(...(existsSync(path) ? [readCall(path)] : []), writeCall(path, content)),
    /** Lets the model read a file and replace a piece of it. */
    proposeReplace: (path: string, before: string, after: string) =>
      propose(readCall(path), kind.replaceCall(path, before, after)),
    /** Waits until the model has had the tool's result and has closed the turn. */
    finished: turns.finished,
    accepted: turns.finished,
    rejected: async () => void (await terminal.waitFor(kind.rejected)),
    acceptInTerminal: () => pressUntil(terminal, "Enter", isAnswered),
    cancelInTerminal: () => pressUntil(terminal, "Escape", isAnswered),
    /** One Ctrl-C: the turn ends, and the IDE hears nothing of it. */
    cancelTurn: () => pressUntil(terminal, "C-c", isAnswered),
    /** Stops it: it reads nothing any more, until it is killed. */
    standStill: () => standStill(terminal.pid),
    /** Ends it with SIGKILL, as a crash would. */
    kill,
    leave: kill,
  };
}

const readCall = (file_path: string) => ({ call: "read_file", args: { file_path } });
const writeCall = (file_path: string, content: string) => ({
  call: "write_file",
  args: { file_path, content },
});

/** Types text, and Enter only when the CLI has taken the text in: before, it may take both for a paste. */
async function send(terminal: Terminal, text: string): Promise<void> {
  await terminal.waitFor(placeholder);
  const type = async () => {
    if (!(await terminal.screen()).includes(placeholder)) await terminal.press("C-u");
    await terminal.type(text);
  };
  // One that redraws its input line may lose what comes just then.
  await insistOn(terminal, `${text} typed`, type, (screen) => inputOf(screen).startsWith(squeeze(text)));
  await delay(pasteTime);
  await submit(terminal);
}

/** Sends what stands in the input line. */
async function submit(terminal: Terminal): Promise<void> {
  // A question takes the input line's place; another Enter would answer it.
  const isTaken = (screen: string) => screen.includes(placeholder) || !isAnswered(screen) || hasEnded(screen);
  await pressUntil(terminal, "Enter", isTaken);
}

/** What stands in the input line, and below it, without blanks. */
function inputOf(screen: string): string {
  // In yolo mode another mark stands before it.
  const start = [...screen.matchAll(/^ ?[>*] /gm)].at(-1);
  return start === undefined ? "" : squeeze(screen.slice(start.index + start[0].length));
}

/**
 * Asks for the status until it is the wanted one: a CLI connects, and notices a loss, in its own time. While it
 * starts it may even take the command for a prompt, so that no status follows.
 */
async function askForStatus(
  terminal: Terminal,
  say: (text: string) => Promise<void>,
  wanted: string,
): Promise<void> {
  const command = "/ide status";
  const isWanted = (screen: string) => screen.slice(screen.lastIndexOf(command)).includes(wanted);
  const ask = async () => {
    await say(command);
    await terminal.waitFor(anyStatus(command), 10_000).catch(() => {}); // ask again
  };
  await insistOn(terminal, `status ${wanted}`, ask, isWanted, { again: 500 });
}

/** Below the last occurrence of the command. */
const anyStatus = (command: string) =>
  new RegExp(
    `${command}(?![\\s\\S]*${command})[\\s\\S]*(?:Connected to|Connecting|Disconnected|not supported)`,
  );

/** Its settings, and that the user trusts the workspace and further folders. */
export async function writeSettings(
  sandbox: Sandbox,
  kind: AgentKind,
  folders: readonly string[],
  settings: object | string = kind.settings,
  distrusts = false,
): Promise<void> {
  const folder = join(sandbox.home, kind.folder);
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, "settings.json"),
    typeof settings === "string" ? settings : JSON.stringify(settings),
  );
  const trusted = {
    ...Object.fromEntries(folders.map((path) => [path, "TRUST_FOLDER"])),
    [sandbox.workspace]: distrusts ? "DO_NOT_TRUST" : "TRUST_FOLDER",
  };
  await writeFile(join(folder, "trustedFolders.json"), JSON.stringify(trusted));
}
