import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { patience, poll } from "./deadline.ts";
import { type Model, startModel } from "./model.ts";
import { killTree } from "./process-tree.ts";
import { type Key, startTerminal, type Terminal } from "./terminal.ts";
import type { World } from "./world.ts";

/** How one agent CLI is installed, set up and spoken to; one entry in a file of its own. */
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
  /** Folders outside of the workspace that the user trusts. */
  readonly trusted?: readonly string[];
  /** Starts the terminal that it runs in; a tmux of its own when absent. */
  readonly start?: typeof startTerminal;
  /** Settings instead of the kind's own; a string is written as it is. */
  readonly settings?: object | string;
}

/** A real agent CLI in a real terminal, with a scripted model of its own. */
export interface AgentCli {
  readonly kind: AgentKind;
  readonly terminal: Terminal;
  readonly model: Model;
  /** Waits until it takes input and says that it is connected to an IDE. */
  connected(): Promise<void>;
  /** Waits until it says that it has lost its IDE. */
  disconnected(): Promise<void>;
  /** Types a prompt or a slash command and sends it. */
  say(text: string): Promise<void>;
  /** Lets the model write a whole file; resolves when the terminal asks for a confirmation. */
  proposeWrite(filePath: string, content: string): Promise<void>;
  /** The same of a file that is there: some CLIs write over it only after the model has read it. */
  proposeWriteAfterReading(filePath: string, content: string): Promise<void>;
  /** Lets the model read a file and replace a piece of it. */
  proposeReplace(filePath: string, before: string, after: string): Promise<void>;
  /** Waits until the model has had the tool's result and has closed the turn. */
  finished(): Promise<void>;
  acceptInTerminal(): Promise<void>;
  cancelInTerminal(): Promise<void>;
  /** Ends it with SIGKILL, as a crash would. */
  kill(): Promise<void>;
}

/** The question that both CLIs ask while the IDE shows the diff. */
const question = "Apply this change?";
/** What stands in the input line of both CLIs as long as nothing is typed. */
const placeholder = "Type your message";
const isAnswered = (screen: string) => !screen.includes(question);

export async function startAgent(
  world: World,
  kind: AgentKind,
  options: AgentOptions = {},
): Promise<AgentCli> {
  const model = await startModel(world);
  await writeSettings(world, kind, options.trusted ?? [], options.settings);
  const terminal = await (options.start ?? startTerminal)(world, {
    command: options.command ?? kind.command,
    env: { ...kind.env(model), ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  let turns = 0;
  const say = (text: string) => send(terminal, text);
  const propose = async (...calls: { call: string; args: Record<string, unknown> }[]) => {
    turns += 1;
    model.plan(...calls, { text: `The end of turn ${turns}.` });
    await say(`Begin turn ${turns}`);
    await terminal.waitFor(question);
  };
  return {
    kind,
    terminal,
    model,
    say,
    connected: () => waitForStatus({ say, terminal }, "Connected to"),
    disconnected: () => waitForStatus({ say, terminal }, "Disconnected"),
    proposeWrite: (path, content) => propose(writeCall(path, content)),
    proposeWriteAfterReading: (path, content) => propose(readCall(path), writeCall(path, content)),
    proposeReplace: (path, before, after) => propose(readCall(path), kind.replaceCall(path, before, after)),
    async finished() {
      await terminal.waitFor(`The end of turn ${turns}.`);
    },
    acceptInTerminal: () => insist(terminal, "Enter", isAnswered),
    cancelInTerminal: () => insist(terminal, "Escape", isAnswered),
    kill: () => killTree(terminal.pid),
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
  await terminal.type(text);
  await seen(terminal, `${text} typed`, (screen) => !screen.includes(placeholder) && screen.includes(text));
  // A question takes the input line's place; another Enter would answer it.
  await insist(terminal, "Enter", (screen) => screen.includes(placeholder) || !isAnswered(screen));
}

/** Presses a key until it has had its effect: a CLI that is busy, or takes it for a part of a paste, overhears it. */
async function insist(terminal: Terminal, key: Key, done: (screen: string) => boolean): Promise<void> {
  const look = async () => {
    await terminal.press(key);
    return seen(terminal, `effect of ${key}`, done, 2000).catch(() => undefined); // overheard: once more
  };
  await poll(`effect of ${key}`, look, { describe: terminal.screen });
}

function seen(terminal: Terminal, what: string, is: (screen: string) => boolean, within = patience) {
  const look = async () => (is(await terminal.screen()) ? true : undefined);
  return poll(what, look, { within, every: 50, describe: terminal.screen });
}

/**
 * Asks for the status until it is the wanted one: a CLI connects, and notices a loss, in its own time. While it
 * starts it may even take the command for a prompt, so that no status follows.
 */
async function waitForStatus(cli: Pick<AgentCli, "say" | "terminal">, wanted: Status): Promise<void> {
  const command = "/ide status";
  const find = (screen: string) =>
    /Connected to|Connecting|Disconnected/.exec(screen.slice(screen.lastIndexOf(command)))?.[0];
  const look = async () => {
    await cli.say(command);
    await seen(cli.terminal, "status", (screen) => find(screen) !== undefined, 5000).catch(() => {}); // ask again
    return find(await cli.terminal.screen()) === wanted ? true : undefined;
  };
  await poll(`status ${wanted}`, look, { every: 500, describe: cli.terminal.screen });
}

type Status = "Connected to" | "Disconnected";

/** Its settings, and that the user trusts the workspace and further folders. */
export async function writeSettings(
  world: World,
  kind: AgentKind,
  folders: readonly string[],
  settings: object | string = kind.settings,
): Promise<void> {
  const folder = join(world.home, kind.folder);
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, "settings.json"),
    typeof settings === "string" ? settings : JSON.stringify(settings),
  );
  const trusted = Object.fromEntries([world.workspace, ...folders].map((path) => [path, "TRUST_FOLDER"]));
  await writeFile(join(folder, "trustedFolders.json"), JSON.stringify(trusted));
}
