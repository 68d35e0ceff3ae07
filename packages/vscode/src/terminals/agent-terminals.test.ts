import { agents, type Companion } from "ide-companion";
import { beforeEach, expect, test, vi } from "vitest";
import { registerTerminals, toMention } from "./agent-terminals.ts";

interface FakeTerminal {
  show(): void;
  sendText(text: string, hasEnter?: boolean): void;
  readonly processId: Promise<number>;
}

interface Ended {
  readonly terminal: FakeTerminal;
  readonly execution: { readonly commandLine: { readonly value: string } };
  readonly exitCode: number;
}

const fake = vi.hoisted(() => {
  const terminals: FakeTerminal[] = [];
  return {
    terminals,
    processId: Promise.resolve(1),
    handlers: new Map<string, () => Promise<void>>(),
    end: (_event: unknown) => {},
    warn: vi.fn(),
    inform: vi.fn(),
    input: vi.fn(),
    update: vi.fn(),
    mention: vi.fn<Companion["mention"]>(),
    status: vi.fn(),
  };
});

vi.mock("vscode", () => {
  const disposable = { dispose() {} };
  return {
    commands: {
      registerCommand: (name: string, handler: () => Promise<void>) => {
        fake.handlers.set(name, handler);
        return disposable;
      },
    },
    window: {
      createTerminal: () => {
        const terminal = { show: vi.fn(), sendText: vi.fn(), processId: fake.processId };
        fake.terminals.push(terminal);
        return terminal;
      },
      showWarningMessage: fake.warn,
      showInformationMessage: fake.inform,
      showInputBox: fake.input,
      setStatusBarMessage: fake.status,
      activeTextEditor: {
        document: { uri: { scheme: "file", fsPath: "/src/a.ts" } },
        selection: { start: { line: 1, character: 4 }, end: { line: 3, character: 0 } },
      },
      onDidCloseTerminal: () => disposable,
      onDidStartTerminalShellExecution: () => disposable,
      onDidEndTerminalShellExecution: (listener: (event: unknown) => void) => {
        fake.end = listener;
        return disposable;
      },
    },
    workspace: {
      getConfiguration: () => ({ get: (_name: string, otherwise: string) => otherwise, update: fake.update }),
    },
    l10n: {
      t: (text: string, ...values: string[]) =>
        text.replaceAll(/\{(\d)\}/g, (_, index) => values[Number(index)] ?? ""),
    },
    ConfigurationTarget: { Global: 1 },
    ThemeIcon: class {},
    Uri: class {},
    Disposable: { from: () => disposable },
  };
});

const [agent] = agents;
if (!agent) throw new Error("there is no agent");
const { name, displayName, command, installCommand } = agent;
const notFound = `The terminal does not find ${command}: ${displayName} is not installed, or not in the PATH.`;
const run = () => fake.handlers.get(`ideCompanion.run.${name}`)?.();
/** A command has ended in the terminal that was opened first. */
function end(value: string, exitCode: number): void {
  const [terminal] = fake.terminals;
  if (!terminal) throw new Error("there is no terminal");
  fake.end({ terminal, execution: { commandLine: { value } }, exitCode } satisfies Ended);
}

beforeEach(() => {
  vi.resetAllMocks();
  fake.terminals.length = 0;
  fake.processId = Promise.resolve(1);
  registerTerminals({ env: () => ({}), mention: fake.mention });
});

test("a terminal of Theia, which loses early input, gets the agent's command once it has a shell", async () => {
  let start = (_pid: number) => {};
  fake.processId = new Promise((resolve) => {
    start = resolve;
  });
  const running = run();
  await new Promise(setImmediate);
  const [terminal] = fake.terminals;
  expect(terminal?.show).toHaveBeenCalled();
  expect(terminal?.sendText).not.toHaveBeenCalled();
  start(1);
  await running;
  expect(terminal?.sendText).toHaveBeenCalledExactlyOnceWith(command);
});

test("a second Run reuses a terminal in which the CLI has ended, and not one in which it runs", async () => {
  await run();
  await run();
  expect(fake.terminals).toHaveLength(2);
  end(command, 0);
  await run();
  expect(fake.terminals).toHaveLength(2);
  expect(fake.terminals[0]?.sendText).toHaveBeenCalledTimes(2);
  expect(fake.warn).not.toHaveBeenCalled();
});

test("a missing CLI can be installed: its command is typed, and the user presses Enter", async () => {
  fake.warn.mockResolvedValue("Install…");
  await run();
  end(command, 127);
  await vi.waitFor(() => expect(fake.inform).toHaveBeenCalled());
  expect(fake.warn).toHaveBeenCalledExactlyOnceWith(notFound, "Install…", "Set its path…");
  expect(fake.terminals[0]?.sendText).toHaveBeenLastCalledWith(installCommand, false);

  fake.inform.mockResolvedValue(`Run ${displayName}`);
  end(installCommand, 0);
  await vi.waitFor(() => expect(fake.terminals[0]?.sendText).toHaveBeenLastCalledWith(command));
  expect(fake.inform).toHaveBeenLastCalledWith(`${displayName} is installed.`, `Run ${displayName}`);
});

test("the user can give the path of a CLI, which is set for this machine, and run", async () => {
  fake.warn.mockResolvedValue("Set its path…");
  fake.input.mockResolvedValue(" /opt/agent ");
  await run();
  end(command, 127);
  await vi.waitFor(() => expect(fake.terminals[0]?.sendText).toHaveBeenCalledTimes(2));
  expect(fake.update).toHaveBeenCalledExactlyOnceWith(`${name}.command`, "/opt/agent", 1);
});

test("a CLI that fails and another missing command show no message", async () => {
  await run();
  end(command, 1);
  end(`${command}x`, 127);
  expect(fake.warn).not.toHaveBeenCalled();
});

test("a connected agent that takes references gets them, and its terminal is shown", async () => {
  await run();
  fake.mention.mockReturnValue(displayName);
  await fake.handlers.get("ideCompanion.sendSelection")?.();
  const range = { start: { line: 2, character: 1 }, end: { line: 4, character: 1 } };
  expect(fake.mention).toHaveBeenLastCalledWith({ path: "/src/a.ts", range });
  expect(fake.terminals[0]?.show).toHaveBeenCalledTimes(2);
  await fake.handlers.get("ideCompanion.sendFile")?.();
  expect(fake.mention).toHaveBeenLastCalledWith({ path: "/src/a.ts" });
  expect(fake.status).toHaveBeenLastCalledWith(`The prompt of ${displayName} has the reference.`, 5000);
  expect(fake.terminals[0]?.sendText).toHaveBeenCalledTimes(1); // its own command
});

test("a reference is typed where no connected agent takes it", async () => {
  await fake.handlers.get("ideCompanion.sendSelection")?.();
  expect(fake.inform).toHaveBeenLastCalledWith("No agent runs in a terminal here: start one first.");
  await run();
  await fake.handlers.get("ideCompanion.sendSelection")?.();
  expect(fake.terminals[0]?.sendText).toHaveBeenLastCalledWith("@/src/a.ts (lines 2-3) ", false);
  expect(fake.status).not.toHaveBeenCalled();
});

test("the name of a file presses no key in a terminal", () => {
  for (const key of ["\n", "\r", "\t", "\x03", "\x1b", "\x7f", "\x9b"])
    expect(toMention(`/src/a${key}touch b${key}.ts`, "/src")).toBeUndefined();
});

test.each([
  ["/src/src/main.ts", "/src", undefined, "@src/main.ts "],
  ["/src/my file.ts", "/src", undefined, "@my\\ file.ts "],
  ["/other/a.ts", "/src", undefined, "@/other/a.ts "],
  ["/src/a.ts", undefined, undefined, "@/src/a.ts "],
  ["/src/a.ts", "/src", { first: 3, last: 3 }, "@a.ts (line 3) "],
  ["/src/a.ts", "/src", { first: 3, last: 7 }, "@a.ts (lines 3-7) "],
])("a mention of %s from %s", (path, folder, lines, mention) => {
  expect(toMention(path, folder, lines)).toBe(mention);
});
