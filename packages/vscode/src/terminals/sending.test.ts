import type { Companion, Sent } from "ide-companion";
import { beforeEach, expect, test, vi } from "vitest";
import type { AgentTerminals } from "./agent-terminals.ts";
import { registerSending } from "./sending.ts";

interface Provider {
  provideCodeActions(document: unknown, range: unknown, context: unknown): { readonly command: unknown }[];
}

const fake = vi.hoisted(() => ({
  handlers: new Map<string, (...args: unknown[]) => Promise<void>>(),
  providers: [] as Provider[],
  warn: vi.fn(),
  inform: vi.fn(),
  input: vi.fn(),
  status: vi.fn(),
  copy: vi.fn(),
  diagnostics: [] as unknown[],
  group: { activeTab: undefined as unknown },
}));

vi.mock("vscode", () => {
  const disposable = { dispose() {} };
  class Uri {
    readonly scheme: string;
    readonly fsPath: string;
    constructor(fsPath: string, scheme = "file") {
      this.fsPath = fsPath;
      this.scheme = scheme;
    }
  }
  class Input {
    readonly uri: Uri;
    constructor(path: string) {
      this.uri = new Uri(path);
    }
  }
  return {
    Uri,
    TabInputText: class extends Input {},
    TabInputNotebook: class extends Input {},
    TabInputCustom: class extends Input {},
    TabInputTextDiff: class {},
    TabInputNotebookDiff: class {},
    CodeAction: class {},
    CodeActionKind: { QuickFix: "quickfix" },
    ProgressLocation: { Window: 10 },
    Disposable: { from: () => disposable },
    commands: {
      registerCommand: (name: string, handler: () => Promise<void>) => {
        fake.handlers.set(name.replace("ideCompanion.", ""), handler);
        return disposable;
      },
    },
    workspace: { asRelativePath: (path: string) => path.replace("/src/", "") },
    env: { clipboard: { writeText: fake.copy } },
    languages: {
      getDiagnostics: () => fake.diagnostics,
      registerCodeActionsProvider: (_: unknown, provider: Provider) => {
        fake.providers.push(provider);
        return disposable;
      },
    },
    window: {
      withProgress: (_: unknown, task: () => Promise<unknown>) => task(),
      showWarningMessage: fake.warn,
      showInformationMessage: fake.inform,
      showInputBox: fake.input,
      setStatusBarMessage: fake.status,
      tabGroups: { activeTabGroup: fake.group },
      activeTextEditor: {
        document: { uri: new Uri("/src/a.ts") },
        selection: { start: { line: 1, character: 4 }, end: { line: 3, character: 0 } },
      },
    },
    l10n: {
      t: (text: string, ...values: string[]) =>
        text.replaceAll(/\{(\d)\}/g, (_, index) => values[Number(index)] ?? ""),
    },
  };
});

const { Uri, TabInputText, TabInputNotebook, TabInputCustom } = (await import("vscode")) as unknown as Record<
  "Uri" | "TabInputText" | "TabInputNotebook" | "TabInputCustom",
  new (
    path: string,
    scheme?: string,
  ) => unknown
>;

const problem = {
  range: { start: { line: 2, character: 0 }, end: { line: 2, character: 3 } },
  ...{ message: "no such name", severity: 0, source: "ts", code: 2304 },
};
const diagnostic = {
  ...{ filePath: "/src/a.ts", line: 3, character: 1, endLine: 3, endCharacter: 4 },
  ...{ severity: "error", message: "no such name", source: "ts", code: "2304" },
};

const send = vi.fn<Companion["send"]>();
const terminals = {
  isRunning: false,
  showOf: vi.fn(),
  type: vi.fn<AgentTerminals["type"]>(),
  dispose() {},
};
const isConnected = vi.fn();
const run = (name: string, ...args: unknown[]) => fake.handlers.get(name)?.(...args);

beforeEach(() => {
  vi.resetAllMocks();
  fake.providers.length = 0;
  fake.diagnostics = [];
  fake.group.activeTab = { input: new TabInputText("/src/a.ts") };
  send.mockResolvedValue({ kind: "unreached" });
  registerSending({ send, terminals, isConnected });
});

test.each([
  ["a picture", () => new TabInputCustom("/src/a.png")],
  ["a notebook", () => new TabInputNotebook("/src/a.png")],
])("the file in front goes to the agent also where it is %s", async (_, open) => {
  fake.group.activeTab = { input: open() };
  await run("sendFile");
  expect(send).toHaveBeenLastCalledWith({ mentions: [{ path: "/src/a.png" }] });
});

test("a selection, the file, and what is selected in the Explorer go to the agent as references", async () => {
  send.mockResolvedValue({ kind: "sent", agent: "Toy" });
  await run("sendSelection");
  const lines = { first: 2, last: 3 };
  expect(send).toHaveBeenLastCalledWith({ mentions: [{ path: "/src/a.ts", lines }] });
  expect(terminals.showOf).toHaveBeenCalledExactlyOnceWith("Toy");
  expect(fake.status).toHaveBeenLastCalledWith("The prompt of Toy has the reference.", 5000);
  await run("sendFile");
  expect(send).toHaveBeenLastCalledWith({ mentions: [{ path: "/src/a.ts" }] });
  await run("sendFiles", new Uri("/src/b"), [
    new Uri("/src/b"),
    new Uri("/x", "untitled"),
    new Uri("/src/c"),
  ]);
  expect(send).toHaveBeenLastCalledWith({ mentions: [{ path: "/src/b" }, { path: "/src/c" }] });
  await run("sendFiles", new Uri("/src/b"), undefined);
  expect(send).toHaveBeenLastCalledWith({ mentions: [{ path: "/src/b" }] });
});

test("words and problems go to the agent, and nothing goes when there are none", async () => {
  send.mockResolvedValue({ kind: "sent", agent: "Toy" });
  fake.input.mockResolvedValueOnce("  ").mockResolvedValueOnce(undefined);
  await run("sendText");
  await run("sendText");
  await run("sendProblems");
  expect(send).not.toHaveBeenCalled();
  expect(fake.inform).toHaveBeenCalledExactlyOnceWith("No problem was found in this file.");
  fake.input.mockResolvedValue("why?");
  await run("sendText");
  expect(send).toHaveBeenLastCalledWith({ text: "why?" });
  expect(fake.status).toHaveBeenLastCalledWith(
    "The prompt of Toy has it: press Enter there to send it.",
    5000,
  );
  fake.diagnostics = [problem];
  await run("sendProblems");
  expect(send).toHaveBeenLastCalledWith({ diagnostics: [diagnostic] });
});

test("a quick fix sends the problems of its line, once an agent is there", async () => {
  const [provider] = fake.providers;
  const uri = new Uri("/src/a.ts");
  const actions = (diagnostics: unknown[]) => provider?.provideCodeActions({ uri }, {}, { diagnostics });
  expect(actions([problem])).toEqual([]);
  isConnected.mockReturnValue(true);
  expect(actions([])).toEqual([]);
  expect(actions([problem])).toMatchObject([
    { command: { command: "ideCompanion.sendProblems", arguments: [uri, [problem]] } },
  ]);
  fake.diagnostics = [problem, problem];
  await run("sendProblems", uri, [problem]);
  expect(send).toHaveBeenLastCalledWith({ diagnostics: [diagnostic] });
});

test("what no agent takes is typed into its terminal; a shell does not get words", async () => {
  terminals.type.mockReturnValue(true);
  const typed = () => {
    const [toText, options] = terminals.type.mock.lastCall ?? [];
    return [toText?.("/src"), options?.isSafe];
  };
  await run("sendSelection");
  expect(typed()).toEqual(["@a.ts (lines 2-3) ", true]);
  fake.diagnostics = [problem, problem];
  await run("sendProblems");
  const line = "@a.ts (line 3): error: no such name (ts 2304)";
  expect(typed()).toEqual([`${line}\n${line} `, false]);
  expect(fake.copy).not.toHaveBeenCalled();
});

test("what cannot be typed is on the clipboard, and a message says so", async () => {
  terminals.type.mockReturnValue(false);
  await run("sendFile");
  expect(fake.copy).toHaveBeenCalledExactlyOnceWith("@/src/a.ts ");
  expect(fake.inform.mock.lastCall?.[0]).toContain("It is on the clipboard");
  await run("sendFiles", new Uri("/src/a\n.ts"));
  expect(fake.copy).toHaveBeenCalledTimes(1);
  expect(fake.warn).toHaveBeenCalledExactlyOnceWith("The name of a file holds control characters.");
});

test("nothing is typed into a prompt that holds the user's text: it is on the clipboard", async () => {
  send.mockResolvedValue({ kind: "unreached", busy: "Toy" });
  terminals.type.mockReturnValue(true);
  await run("sendFile");
  expect(terminals.type).not.toHaveBeenCalled();
  expect(fake.copy).toHaveBeenCalledExactlyOnceWith("@/src/a.ts ");
  expect(fake.inform).toHaveBeenCalledExactlyOnceWith(
    "The prompt of Toy is not empty: it is on the clipboard.",
  );
});

test.each<[Sent, string]>([
  [{ kind: "paused" }, "Sharing is paused: the agents receive no files."],
  [{ kind: "excluded", path: "/src/app/.env" }, "app/.env is kept from agents, and was not sent."],
])("what the user keeps from agents is not sent: %o", async (sent, message) => {
  send.mockResolvedValue(sent);
  await run("sendFile");
  expect([...fake.inform.mock.calls, ...fake.warn.mock.calls].flat()).toEqual([message]);
  expect([terminals.type.mock.calls, fake.copy.mock.calls]).toEqual([[], []]);
});
