import type { Decision } from "ide-companion";
import { beforeEach, expect, test, vi } from "vitest";
import { ToyChange, toyProposal } from "../testing/toy-change.ts";
import type { ProposalDocuments } from "./proposal-documents.ts";
import { ProposalViews } from "./proposal-views.ts";
import { Proposals } from "./proposals.ts";

interface FakeTab {
  readonly input: unknown;
  readonly group: { readonly tabs: FakeTab[]; readonly viewColumn: number };
}

/** Two groups of tabs. */
const { groups, listeners, shown } = vi.hoisted(() => ({
  groups: [
    { tabs: [] as FakeTab[], viewColumn: 1 },
    { tabs: [] as FakeTab[], viewColumn: 2 },
  ] as const,
  listeners: [] as ((event: { closed: FakeTab[] }) => void)[],
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
    TabInputTerminal: class {},
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
      onDidCloseTextDocument: never,
      onDidChangeTextDocument: never,
    },
  };
});

beforeEach(() => {
  for (const { tabs } of groups) tabs.splice(0);
});

test("who closes the tab of a change rejects nothing: it waits, and opens again with its text", async () => {
  const { decisions, proposals, views, tab } = await openOne();
  closeTab(tab());
  const [waiting] = proposals.all;
  expect([decisions, waiting?.text]).toEqual([[], "new\n"]);
  if (waiting) await views.goTo(waiting);
  expect(tab()).toBeDefined();
});

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

/** A proposal with a tab. */
async function openOne() {
  const decisions: Decision[] = [];
  const views = new ProposalViews({
    typing: { isUnderWay: false, dispose() {} },
    reveal: () => "always",
    documents: { areFiles: async () => false } as ProposalDocuments,
    isReadOnly: () => false,
    log: () => {},
  });
  const proposals = new Proposals(views);
  const decide = (decision: Decision) => {
    decisions.push(decision);
    return { taken: true } as const;
  };
  await proposals.open(new ToyChange(toyProposal, decide));
  const tab = () => groups[0].tabs.find(({ input }) => input !== undefined);
  return { decisions, proposals, views, tab };
}

function openTab({ input, group = groups[0] }: Partial<FakeTab> = {}): void {
  group.tabs.push({ input, group });
}

function closeTab(tab: FakeTab | undefined): void {
  if (!tab) throw new Error("there is no such tab");
  tab.group.tabs.splice(tab.group.tabs.indexOf(tab), 1);
  for (const listener of listeners) listener({ closed: [tab] });
}
