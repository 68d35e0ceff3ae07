import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { Companion } from "ide-companion";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { registerHistory } from "./history.ts";

const { commands, diffs, fake, messages, picks } = vi.hoisted(() => ({
  commands: new Map<string, (target?: unknown) => Promise<unknown>>(),
  diffs: [] as { left: string; right: string; title: string }[],
  fake: { folder: "", dirty: [] as string[], providers: new Map<string, (uri: unknown) => string>() },
  messages: [] as string[],
  picks: [] as { label: string; description: string; detail: string }[],
}));

vi.mock("vscode", () => {
  class Uri {
    readonly scheme: string;
    readonly fsPath: string;
    readonly query: string;
    readonly fragment: string;

    constructor(scheme: string, fsPath: string, query = "", fragment = "") {
      this.scheme = scheme;
      this.fsPath = fsPath;
      this.query = query;
      this.fragment = fragment;
    }

    /** VS Code spells some paths in its own way, such as drive letters. */
    static file = (path: string) => new Uri("file", path.replace("/./", "/"));

    with({ scheme = this.scheme, query = this.query, fragment = this.fragment }) {
      return new Uri(scheme, this.fsPath, query, fragment);
    }

    toString() {
      return `${this.scheme}:${this.fsPath}?${this.query}#${this.fragment}`;
    }
  }
  class TabInputText {}
  class TabInputTextDiff {
    readonly modified: Uri;

    constructor(modified: Uri) {
      this.modified = modified;
    }
  }
  const group: { activeTab: unknown; tabs: unknown[] } = { activeTab: undefined, tabs: [] };
  const disposable = { dispose() {} };
  const say = async (text: string) => void messages.push(text);
  const textOf = (uri: Uri) =>
    uri.scheme === "file" ? readFileSync(uri.fsPath, "utf8") : (fake.providers.get(uri.scheme)?.(uri) ?? "");
  return {
    Disposable: { from: () => disposable },
    EventEmitter: class {
      event = () => disposable;
      fire() {}
      dispose() {}
    },
    MarkdownString: class {},
    TabInputText,
    TabInputTextDiff,
    Uri,
    commands: {
      registerCommand: (name: string, run: () => Promise<unknown>) => {
        commands.set(name, run);
        return disposable;
      },
      executeCommand: async (
        name: string,
        left: Uri,
        right: Uri,
        title: string,
        options: { override?: boolean },
      ) => {
        // Another editor than that for texts shows tabs whose texts nobody knows.
        if (name !== "vscode.diff" || options.override !== false) return;
        diffs.push({ left: textOf(left), right: textOf(right), title });
        group.activeTab = { input: new TabInputTextDiff(right) };
        group.tabs = [group.activeTab];
      },
    },
    env: { language: "en" },
    l10n: {
      t: (text: string, ...values: string[]) => values.reduce((t, v, i) => t.replace(`{${i}}`, v), text),
    },
    window: {
      createTreeView: () => disposable,
      showInformationMessage: say,
      showWarningMessage: say,
      showQuickPick: async (items: typeof picks) => {
        picks.push(...items);
        return items[0];
      },
      tabGroups: { all: [group], activeTabGroup: group, close: async () => {} },
    },
    workspace: {
      asRelativePath: (path: string) => relative(fake.folder, path),
      onDidOpenTextDocument: () => disposable,
      registerTextDocumentContentProvider: (
        scheme: string,
        provider: { provideTextDocumentContent: (uri: unknown) => string },
      ) => {
        fake.providers.set(scheme, (uri) => provider.provideTextDocumentContent(uri));
        return disposable;
      },
      textDocuments: [],
      // They count as the text documents do.
      get notebookDocuments() {
        return fake.dirty.map((fsPath) => ({ isDirty: true, uri: Uri.file(fsPath) }));
      },
      get workspaceFolders() {
        return [{ uri: { scheme: "file", fsPath: fake.folder } }];
      },
    },
  };
});

type Past = NonNullable<ReturnType<Companion["history"]["read"]>>;

beforeEach(() => {
  for (const list of [diffs, messages, picks, fake.dirty]) list.length = 0;
  const folder = mkdtempSync(join(tmpdir(), "vscode-history-"));
  fake.folder = folder;
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

/** A window whose history holds one accepted change of `a.txt`, and one of a file elsewhere. */
function start(now: string, more: Partial<Past> = {}) {
  const filePath = join(fake.folder, "a.txt");
  writeFileSync(filePath, now);
  const about = { id: "00000001", at: 0, agent: "Toy", outcome: "accepted", code: "accepted" } as const;
  const texts = { before: "one\ntwo\nthree\n", proposed: "one\n2\nthree\n" };
  const past: Past = { ...about, filePath, fileResult: "written", texts, ...more };
  const elsewhere = { ...past, id: "00000002", filePath: "/elsewhere/b.txt" };
  const all = [elsewhere, past];
  const notes: string[] = [];
  registerHistory({
    list: () => all,
    read: (id) => all.find((one) => one.id === id),
    proposalOf: () => undefined,
    onChange: () => () => {},
    note: (id, later) => notes.push(`${id} ${later}`),
    noteOnceSaved: () => {},
  });
  const run = (name: string) => commands.get(`ideCompanion.${name}`)?.();
  return { filePath, notes, run, onDisk: () => readFileSync(filePath, "utf8") };
}

test("decisions about files of the window are listed with their outcome, and open as diffs", async () => {
  const { run } = start("one\n2\nthree\n");
  await run("history");
  expect(picks).toMatchObject([
    { label: "$(check) a.txt", description: expect.stringContaining("Toy · "), detail: "accepted, written" },
  ]);
  const shown = { left: "one\ntwo\nthree\n", right: "one\n2\nthree\n", title: "a.txt (past change)" };
  expect(diffs).toEqual([shown]);
});

test("an accepted change is undone after it is shown, and what has changed elsewhere stays", async () => {
  const { notes, run, onDisk } = start("one\n2\nthree\nfour\n");
  await run("undoChange");
  const shown = { left: "one\n2\nthree\nfour\n", right: "one\ntwo\nthree\nfour\n" };
  expect(diffs).toEqual([{ ...shown, title: "a.txt (without this change)" }]);
  expect(onDisk()).toBe("one\n2\nthree\nfour\n");
  await run("writeShown");
  expect(onDisk()).toBe("one\ntwo\nthree\nfour\n");
  expect(notes).toEqual(["00000001 undone"]);
  expect(messages).toEqual(["The change of a.txt is undone."]);
});

test("a file in UTF-16 is undone, and stays in UTF-16", async () => {
  const { filePath, run } = start("");
  const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le");
  writeFileSync(filePath, utf16("one\n2\nthree\n"));
  await run("undoChange");
  await run("writeShown");
  expect(messages).toEqual(["The change of a.txt is undone."]);
  expect(readFileSync(filePath)).toEqual(utf16("one\ntwo\nthree\n"));
});

test("a file that has changed since it was shown is not written, but shown once more", async () => {
  const { filePath, run, onDisk } = start("one\n2\nthree\n");
  await run("undoChange");
  writeFileSync(filePath, "zero\none\n2\nthree\n");
  await run("writeShown");
  expect(onDisk()).toBe("zero\none\n2\nthree\n");
  expect(messages).toEqual(["The file has changed since you looked at it. Look at it once more."]);
  expect(diffs.at(-1)?.right).toBe("zero\none\ntwo\nthree\n");
  await run("writeShown");
  expect(onDisk()).toBe("zero\none\ntwo\nthree\n");
});

test.each(["a.txt", "./a.txt"])("a file with unsaved edits is not written: %s", async (spelling) => {
  const { filePath, run, onDisk } = start("one\n2\nthree\n", { filePath: `${fake.folder}/${spelling}` });
  await run("undoChange");
  fake.dirty.push(filePath);
  await run("writeShown");
  expect(onDisk()).toBe("one\n2\nthree\n");
  expect(messages).toEqual(["a.txt has edits that you have not saved."]);
});

test.each([
  ["with edits", { edited: "one\nmine\n" }, "one\nmine\n"],
  ["without edits", {}, "one\n2\n"],
])("a change that was rejected %s is accepted after all", async (_, edited, right) => {
  const texts = { before: "one\ntwo\n", proposed: "one\n2\n", ...edited };
  const { run, onDisk } = start("one\ntwo\n", { outcome: "rejected", code: "rejected", texts });
  await run("acceptAfterAll");
  expect(messages).toEqual([]);
  expect(diffs.at(-1)).toEqual({ left: "one\ntwo\n", right, title: "a.txt (with this change)" });
  await run("writeShown");
  expect(onDisk()).toBe(right);
});

test.each([
  ["undoChange", "one\nzwei\nthree\n", "The file has changed since in the same places: undo it by hand."],
  ["undoChange", "one\ntwo\nthree\n", "The file holds nothing of this change."],
  ["proposeAgain", "one\n2\nthree\n", "The file holds this change already."],
])("where there is nothing to write, a message says why: %s of %j", async (command, now, message) => {
  const { run } = start(now);
  await run(command);
  expect(messages).toEqual([message]);
  expect(diffs).toEqual([]);
});
