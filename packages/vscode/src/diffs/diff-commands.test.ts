import { expect, onTestFinished, test, vi } from "vitest";
import { ToyChange, toyProposal } from "../testing/toy-change.ts";
import type { Decisions } from "./decisions.ts";
import { registerDiffCommands } from "./diff-commands.ts";
import { OpenProposal } from "./open-proposal.ts";
import type { ProposalViews } from "./proposal-views.ts";
import type { Proposals } from "./proposals.ts";
import type { WaitingGroups } from "./waiting-groups.ts";

interface Selected {
  readonly textEditor: { readonly document: { readonly uri: unknown } };
  readonly kind: number;
}

const { commands, listeners } = vi.hoisted(() => ({
  commands: new Map<string, (target: unknown) => Promise<void>>(),
  listeners: [] as ((event: Selected) => void)[],
}));

vi.mock("vscode", async () => {
  const { FakeUri: Uri } = await import("../testing/fake-uri.ts");
  return {
    Uri,
    TabInputTextDiff: class {},
    TabInputText: class {},
    window: {
      tabGroups: { activeTabGroup: {} },
      onDidChangeTextEditorSelection: (listener: (event: Selected) => void) => listeners.push(listener),
    },
    TextEditorSelectionChangeKind: { Keyboard: 1, Mouse: 2, Command: 3 },
    Disposable: { from: () => ({ dispose() {} }) },
    commands: {
      registerCommand: (name: string, run: () => Promise<void>) =>
        commands.set(name.replace("ideCompanion.", ""), run),
    },
  };
});

/** Some proposals whose decisions are taken. */
function openSome(...ids: readonly string[]) {
  let now = 0;
  let closing: Promise<void> | undefined;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => void vi.restoreAllMocks());
  let all = ids.map((id) => new OpenProposal(new ToyChange({ ...toyProposal, id })));
  const decided: (readonly [string, boolean | undefined])[] = [];
  const decide = async (one: OpenProposal, preserveFocus?: boolean) => {
    all = all.filter((other) => other !== one);
    decided.push([one.proposal.id, preserveFocus]);
    await closing;
  };
  const proposals = {
    // Without a URI it is the one in front.
    at: (uri: unknown) => all.find((one) => uri === undefined || String(one.uri) === String(uri)),
    get all() {
      return all;
    },
  } satisfies Partial<Proposals> as unknown as Proposals;
  registerDiffCommands({
    ...{ proposals, views: {} as ProposalViews, groups: {} as WaitingGroups },
    goToWritten: async () => false,
    decisions: { accept: decide, reject: decide } as Partial<Decisions> as Decisions,
  });
  /** Decides about the oldest that waits. */
  const run = async (command: "accept" | "reject", { by = "lens", after = 0 } = {}) => {
    now += after;
    await commands.get(command)?.({ view: all[0], lens: all[0]?.uri }[by]);
  };
  /** Its tab closes when the returned function is called. */
  const closeLate = () => {
    let close = () => {};
    closing = new Promise((resolve) => {
      close = resolve;
    });
    return () => close();
  };
  /** The selection changes in the oldest that waits. */
  const select = ({ kind }: { readonly kind: number }) =>
    listeners.at(-1)?.({ textEditor: { document: { uri: all[0]?.uri } }, kind });
  return {
    closeLate,
    decided: () => decided.map(([id]) => id),
    focus: () => decided.map(([, keeps]) => !keeps),
    run,
    select,
  };
}

test("a key that is held or pressed twice, and a double click, decide about one proposal", async () => {
  const { decided, run } = openSome("1", "2", "3");
  await run("accept", { by: "key", after: 700 });
  for (let press = 0; press < 40; press += 1) await run("accept", { by: "key", after: 33 });
  await run("reject", { by: "view", after: 250 });
  await run("accept", { by: "key", after: 400 });
  expect(decided()).toEqual(["1"]);
  await run("reject", { after: 300 });
  expect(decided()).toEqual(["1", "2"]);
});

test("a key that was meant for something else decides nothing about a proposal that has just come up", async () => {
  const { decided, run } = openSome("1", "2");
  await run("accept", { by: "key", after: 600 });
  expect(decided()).toEqual([]);
  await run("accept", { by: "key", after: 200 });
  expect(decided()).toEqual(["1"]);
});

test("who has clicked into a proposal that has just come up decides about it at once", async () => {
  const { decided, run, select } = openSome("1", "2");
  select({ kind: 3 });
  await run("accept", { by: "key", after: 100 });
  expect(decided()).toEqual([]);
  select({ kind: 2 });
  await run("accept", { by: "key", after: 200 });
  select({ kind: 2 });
  await run("reject", { by: "key", after: 200 });
  expect(decided()).toEqual(["1", "2"]);
});

test("a second press before VS Code has closed the first tab decides nothing", async () => {
  const { closeLate, decided, run } = openSome("1", "2");
  const close = closeLate();
  const presses = [run("accept"), run("accept", { after: 100 })];
  close();
  await Promise.all(presses);
  expect(decided()).toEqual(["1"]);
});

test("what comes up after a decision has the focus, unless that was made in the view", async () => {
  const { focus, run } = openSome("1", "2");
  await run("accept");
  await run("accept", { after: 700, by: "view" });
  expect(focus()).toEqual([true, false]);
});
