import { agents } from "ide-companion";
import { beforeEach, expect, test, vi } from "vitest";
import { AgentTerminals } from "./agent-terminals.ts";

interface FakeTerminal {
  show(): void;
  sendText(text: string, hasEnter?: boolean): void;
  readonly processId: Promise<number>;
}

interface Started {
  readonly terminal: FakeTerminal;
  readonly execution: { readonly commandLine: { readonly value: string } };
}

interface Ended extends Started {
  readonly exitCode: number;
}

const fake = vi.hoisted(() => {
  const terminals: FakeTerminal[] = [];
  return {
    terminals,
    processId: Promise.resolve(1),
    handlers: new Map<string, () => Promise<void>>(),
    start: (_event: unknown) => {},
    end: (_event: unknown) => {},
    configured: new Map<string, string>(),
    context: new Map<string, unknown>(),
    warn: vi.fn(),
    inform: vi.fn(),
    input: vi.fn(),
    update: vi.fn(),
    active: undefined as unknown,
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
      executeCommand: (_: string, key: string, value: unknown) => fake.context.set(key, value),
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
      get activeTerminal() {
        return fake.active;
      },
      onDidCloseTerminal: () => disposable,
      onDidStartTerminalShellExecution: (listener: (event: unknown) => void) => {
        fake.start = listener;
        return disposable;
      },
      onDidEndTerminalShellExecution: (listener: (event: unknown) => void) => {
        fake.end = listener;
        return disposable;
      },
    },
    workspace: {
      getConfiguration: () => ({
        get: (name: string, otherwise: string) => fake.configured.get(name) ?? otherwise,
        update: fake.update,
      }),
    },
    l10n: {
      t: (text: string, ...values: string[]) =>
        text.replaceAll(/\{(\d)\}/g, (_, index) => values[Number(index)] ?? ""),
    },
    ConfigurationTarget: { Global: 1 },
    ThemeIcon: class {},
    Disposable: { from: () => disposable },
  };
});

const [agent] = agents;
if (!agent) throw new Error("there is no agent");
const { name, displayName, command, installCommand } = agent;
const notFound = `The terminal does not find ${command}: ${displayName} is not installed, or not in the PATH.`;
const run = () => fake.handlers.get(`ideCompanion.run.${name}`)?.();
/** A command has started in the terminal that was opened first. */
function begin(value: string): void {
  fake.start({ terminal: firstTerminal(), execution: { commandLine: { value } } } satisfies Started);
}

/** A command has ended there. */
function end(value: string, exitCode: number): void {
  fake.end({ terminal: firstTerminal(), execution: { commandLine: { value } }, exitCode } satisfies Ended);
}

function firstTerminal(): FakeTerminal {
  const [terminal] = fake.terminals;
  if (!terminal) throw new Error("there is no terminal");
  return terminal;
}

let terminals: AgentTerminals;

beforeEach(() => {
  vi.resetAllMocks();
  fake.active = undefined;
  fake.terminals.length = 0;
  fake.configured.clear();
  vi.stubEnv("PATH", "");
  fake.processId = Promise.resolve(1);
  terminals = new AgentTerminals(() => ({}));
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

test("the empty view offers the agents that are installed, also one whose absolute path was set", async () => {
  expect(fake.context.get("ideCompanion.installed")).toBe(false);
  fake.configured.set(`${name}.command`, process.execPath);
  await run();
  end(process.execPath, 0);
  expect(fake.context.get("ideCompanion.installed")).toBe(true);
  const shown = agents.filter((each) => fake.context.get(`ideCompanion.installed.${each.name}`));
  expect(shown).toEqual([agent]);
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

test("a text is pasted into the terminal of an agent, in its folder, and typed into another if that does no harm", async () => {
  const toText = vi.fn((folder: string | undefined) => `in ${folder}`);
  expect(terminals.isRunning).toBe(false);
  expect(terminals.type(toText, { isSafe: true })).toBe(false);
  const other = { show: vi.fn(), sendText: vi.fn(), shellIntegration: { cwd: { fsPath: "/other" } } };
  fake.active = other;
  expect(terminals.type(toText, { isSafe: false })).toBe(false);
  expect(toText).not.toHaveBeenCalled();
  expect(terminals.type(toText, { isSafe: true })).toBe(true);
  expect(other.sendText).toHaveBeenCalledExactlyOnceWith("in /other", false);
  await run();
  expect(terminals.isRunning).toBe(true);
  begin(command);
  expect(terminals.type(() => undefined, { isSafe: false })).toBe(false);
  expect(terminals.type(toText, { isSafe: false })).toBe(true);
  expect(fake.terminals[0]?.sendText).toHaveBeenLastCalledWith("\x1b[200~in undefined\x1b[201~", false);
  expect(terminals.type(toText, { isSafe: true })).toBe(true);
  expect(fake.terminals[0]?.sendText).toHaveBeenLastCalledWith("\x1b[200~in undefined\x1b[201~", false);
  end(command, 0);
  expect(terminals.type(toText, { isSafe: false })).toBe(false);
});

test("a shell that does not report what it runs gets no text that may do harm in it", async () => {
  await run();
  const [terminal] = fake.terminals;
  fake.active = terminal;
  expect(terminals.type(() => "a.ts\nrm -r .", { isSafe: false })).toBe(false);
  expect(terminal?.sendText).toHaveBeenCalledTimes(1);
  expect([terminals.isRunning, terminals.type(() => "a.ts", { isSafe: true })]).toEqual([true, true]);
});

test("another program in the terminal of an agent that has ended gets no text", async () => {
  fake.configured.set(`${name}.command`, "/opt/agent --fast");
  const type = () => terminals.type(() => "a.ts", { isSafe: true });
  await run();
  begin("/opt/agent --fast");
  end("/opt/agent --fast", 0);
  begin("git add -p");
  expect([terminals.isRunning, type()]).toEqual([false, false]);
  end("git add -p", 0);
  for (const line of [`${command} --resume`, "/opt/agent --fast -c"]) {
    begin(line);
    expect(type()).toBe(true);
    expect(fake.terminals[0]?.sendText).toHaveBeenLastCalledWith("\x1b[200~a.ts\x1b[201~", false);
    end(line, 0);
  }
});

test("only the terminal in which an agent of that name runs is shown", async () => {
  await run();
  terminals.showOf("Another");
  expect(fake.terminals[0]?.show).toHaveBeenCalledTimes(1);
  terminals.showOf(displayName);
  expect(fake.terminals[0]?.show).toHaveBeenCalledTimes(2);
});
