import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Decision } from "ide-companion";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { toyProposal } from "../testing/toy-proposal.ts";
import type { ProposalDocuments } from "./proposal-documents.ts";
import { ProposalViews } from "./proposal-views.ts";
import { Proposals } from "./proposals.ts";

interface FakeTab {
  readonly input: unknown;
  readonly isDirty: boolean;
  readonly group: { readonly tabs: FakeTab[]; readonly viewColumn: number };
}

/** Two groups of tabs, and the settings about closing. */
const { files, groups, limit, listeners, shown } = vi.hoisted(() => ({
  groups: [
    { tabs: [] as FakeTab[], viewColumn: 1 },
    { tabs: [] as FakeTab[], viewColumn: 2 },
  ] as const,
  limit: { enabled: true, value: 3 } as Record<string, unknown>,
  listeners: [] as ((event: { closed: FakeTab[] }) => void)[],
  /** What listens to events about files. */
  files: {} as Record<"rename" | "delete", (event: { files: unknown[] }) => void>,
  /** The options of each diff that was opened. */
  shown: [] as unknown[],
}));

vi.mock("vscode", async () => {
  const { FakeUri: Uri } = await import("../testing/fake-uri.ts");
  const never = () => ({ dispose() {} });
  class TabInputTextDiff {
    readonly modified: unknown;
    constructor(_: unknown, modified: unknown) {
      this.modified = modified;
    }
  }
  return {
    Uri,
    TabInputTextDiff,
    TabInputText: class {},
    Disposable: { from: never },
    EventEmitter: class {
      event = never;
      fire() {}
    },
    commands: {
      async executeCommand(
        _: string,
        original: unknown,
        modified: unknown,
        _title: string,
        options: unknown,
      ) {
        shown.push(options);
        openTab({ input: new TabInputTextDiff(original, modified) });
      },
    },
    window: {
      visibleTextEditors: [],
      onDidChangeVisibleTextEditors: never,
      onDidChangeActiveTextEditor: never,
      tabGroups: {
        all: groups,
        activeTabGroup: {},
        onDidChangeTabs: (listener: (typeof listeners)[number]) => {
          listeners.push(listener);
          return never();
        },
      },
    },
    workspace: {
      onDidOpenTextDocument: never,
      onDidChangeTextDocument: never,
      onDidRenameFiles: (listener: (typeof files)["rename"]) => {
        files.rename = listener;
        return never();
      },
      onDidDeleteFiles: (listener: (typeof files)["delete"]) => {
        files.delete = listener;
        return never();
      },
      getConfiguration: () => ({ get: (name: string, usual: unknown) => limit[name] ?? usual }),
    },
  };
});

beforeEach(() => {
  for (const { tabs } of groups) tabs.splice(0);
  for (const name of ["perEditorGroup", "excludeDirty", "closeOnFileDelete"]) delete limit[name];
  limit.enabled = true;
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

test("a tab that VS Code closes to make room for another rejects nothing, and opens again", async () => {
  const { decisions, proposals, views, tab } = await openOne();
  for (const _ of [1, 2, 3]) openTab();
  closeTab(tab());
  expect(decisions).toEqual([]);
  const [waiting] = proposals.all;
  expect(waiting?.text).toBe("new\n");
  if (waiting) await views.goTo(waiting);
  expect(tab()).toBeDefined();
});

const nowhere = { fsPath: "/nowhere" };
const its = { fsPath: "/nowhere/a.txt" };
const another = { fsPath: "/nowhere/b.txt" };

test.each<[string, boolean, () => void]>([
  ["its file", false, () => files.delete({ files: [another, its] })],
  ["its folder", false, () => files.rename({ files: [{ oldUri: nowhere, newUri: another }] })],
  ["another file", true, () => files.delete({ files: [another] })],
  ["another file, to its path", true, () => files.rename({ files: [{ oldUri: another, newUri: its }] })],
])("a tab that closes because its file went away rejects nothing: %s", async (_, isRejected, goAway) => {
  const before = await openOne();
  goAway();
  closeTab(before.tab());
  expect(before.decisions).toHaveLength(isRejected ? 1 : 0);
  for (const { tabs } of groups) tabs.splice(0);
  const after = await openOne();
  vi.runAllTimers();
  closeTab(after.tab(), goAway);
  expect(after.decisions).toHaveLength(isRejected ? 1 : 0);
});

test("a tab that the user closes long after its file went away rejects", async () => {
  const { decisions, tab } = await openOne();
  files.delete({ files: [its] });
  vi.runAllTimers();
  closeTab(tab());
  expect(decisions).toEqual([{ kind: "rejected" }]);
});

test.each([
  ["nothing", true, 0],
  ["as the user's, where VS Code keeps such tabs", false, 1],
])(
  "a tab that closes because another program has deleted its file rejects %s",
  async (_, closes, rejected) => {
    const folder = mkdtempSync(join(tmpdir(), "closed-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const filePath = join(folder, "a.txt");
    writeFileSync(filePath, "old\n");
    limit.closeOnFileDelete = closes;
    const { decisions, tab } = await openOne(filePath);
    rmSync(filePath);
    closeTab(tab());
    expect(decisions).toHaveLength(rejected);
  },
);

test("a proposal opens in the text editor, whatever editor the user has chosen for such files", async () => {
  shown.length = 0;
  const { proposals, views } = await openOne();
  for (const proposal of proposals.all) await views.goTo(proposal);
  expect(shown).toMatchObject([
    { preserveFocus: true, preview: false, override: false },
    { preserveFocus: false, preview: false, override: false },
  ]);
});

test("a proposal whose tab the user has moved to another group is gone to there", async () => {
  const { proposals, views, tab } = await openOne();
  const moved = tab();
  if (!moved) throw new Error("it has no tab");
  groups[0].tabs.splice(0);
  openTab({ ...moved, group: groups[1] });
  for (const proposal of proposals.all) await views.goTo(proposal);
  expect(shown.at(-1)).toMatchObject({ viewColumn: 2 });
});

const inOther = { group: groups[1] };
const dirty = { isDirty: true };

test.each<[string, Record<string, boolean>, Partial<FakeTab>[]]>([
  ["without the editor limit", { enabled: false }, [{}, {}, {}]],
  ["below the editor limit", {}, [{}, {}]],
  ["below it in its group", { perEditorGroup: true }, [{}, {}, inOther, inOther, inOther]],
  ["below it without dirty tabs", { excludeDirty: true }, [{}, {}, dirty]],
])("a tab that the user closes rejects: %s", async (_, settings, others) => {
  Object.assign(limit, settings);
  const { decisions, proposals, tab } = await openOne();
  for (const other of others) openTab(other);
  closeTab(tab());
  expect([decisions, proposals.all]).toEqual([[{ kind: "rejected" }], []]);
});

/** A proposal with a tab. */
async function openOne(filePath = toyProposal.filePath) {
  const decisions: Decision[] = [];
  const views = new ProposalViews({
    typing: { isUnderWay: false, dispose() {} },
    reveal: () => "always",
    documents: { areFiles: async () => false } as ProposalDocuments,
    isReadOnly: () => false,
    log: () => {},
  });
  const proposals = new Proposals({ views, onClosedWithEdits: () => {} });
  const decide = (decision: Decision) => {
    decisions.push(decision);
    return { taken: true } as const;
  };
  await proposals.open(
    { ...toyProposal, filePath },
    decide,
    () => {},
    () => {},
  );
  const tab = () => groups[0].tabs.find(({ input }) => input !== undefined);
  return { decisions, proposals, views, tab };
}

function openTab({ input, isDirty = false, group = groups[0] }: Partial<FakeTab> = {}): void {
  group.tabs.push({ input, isDirty, group });
}

/** Closes a tab, and waits until it is known why. */
function closeTab(tab: FakeTab | undefined, then?: () => void): void {
  if (!tab) throw new Error("there is no such tab");
  tab.group.tabs.splice(tab.group.tabs.indexOf(tab), 1);
  listeners.at(-1)?.({ closed: [tab] });
  then?.();
  vi.runAllTimers();
}
