import type { Comment, Decision } from "ide-companion";
import { beforeEach, expect, test, vi } from "vitest";
import { noTurns, ToyChange, toyProposal } from "../testing/toy-change.ts";
import { moveRange, ProposalComments } from "./comments.ts";
import { createDecisions } from "./decisions.ts";
import type { ProposalViews } from "./proposal-views.ts";
import { Proposals } from "./proposals.ts";
import { createGroups } from "./waiting-groups.ts";

const { commands, created, executed, edits, threads, messages } = vi.hoisted(() => ({
  commands: new Map<string, (...args: unknown[]) => unknown>(),
  created: [] as { readonly uri: unknown; readonly comments: readonly unknown[] }[],
  executed: [] as string[],
  edits: [] as ((event: unknown) => void)[],
  threads: { ranges: (_: unknown): unknown => [] },
  messages: [] as string[],
}));

vi.mock("vscode", async () => {
  const never = () => ({ dispose() {} });
  const { FakeUri: Uri } = await import("../testing/fake-uri.ts");
  class EventEmitter {
    readonly listeners: ((value: unknown) => void)[] = [];
    event = (listener: (value: unknown) => void) => {
      this.listeners.push(listener);
      return never();
    };
    fire(value: unknown) {
      for (const listener of this.listeners) listener(value);
    }
  }
  class Range {
    readonly start: { line: number; character: number };
    readonly end: { line: number; character: number };
    constructor(startLine: number, startCharacter: number, endLine: number, endCharacter: number) {
      this.start = { line: startLine, character: startCharacter };
      this.end = { line: endLine, character: endCharacter };
    }
  }
  return {
    Uri,
    EventEmitter,
    Range,
    Disposable: { from: never },
    CommentMode: { Editing: 0, Preview: 1 },
    l10n: { t: (text: string) => text },
    comments: {
      createCommentController: () => ({
        options: {},
        createCommentThread: (uri: unknown, range: unknown, shown: unknown[]) => {
          const thread = { uri, range, comments: shown, dispose() {} };
          created.push(thread);
          return thread;
        },
        set commentingRangeProvider(provider: { provideCommentingRanges(document: unknown): unknown }) {
          threads.ranges = (document) => provider.provideCommentingRanges(document);
        },
        dispose() {},
      }),
    },
    commands: {
      registerCommand: (name: string, run: () => unknown) => {
        commands.set(name.replace("ideCompanion.", ""), run);
        return never();
      },
      executeCommand: async (name: string) => void executed.push(name),
    },
    languages: { setTextDocumentLanguage: async () => {} },
    window: {
      activeTextEditor: undefined,
      tabGroups: { onDidChangeTabs: never },
      showInformationMessage: async (text: string) => void messages.push(text),
    },
    workspace: {
      textDocuments: [],
      notebookDocuments: [],
      onDidOpenTextDocument: never,
      onDidCloseTextDocument: never,
      onDidChangeTextDocument: (listener: (event: unknown) => void) => {
        edits.push(listener);
        return never();
      },
    },
  };
});

const vscode = await import("vscode");

beforeEach(() => {
  for (const list of [created, executed, edits, messages, vscode.workspace.textDocuments as unknown[]])
    list.length = 0;
});

/** A proposal whose user can comment on it. */
async function openOne() {
  const decisions: Decision[] = [];
  const saved: (readonly Comment[])[] = [];
  const views = { show: async () => {}, close: async () => {} } as unknown as ProposalViews;
  const proposals = new Proposals(views);
  new ProposalComments(proposals);
  const proposal = { ...toyProposal, newContent: "one\ntwo\nthree\n" };
  const decide = (decision: Decision) => {
    decisions.push(decision);
    return { taken: true } as const;
  };
  const change = new ToyChange(proposal, decide);
  const save = change.saveComments.bind(change);
  change.saveComments = (comments) => {
    saved.push(comments);
    save(comments);
  };
  await proposals.open(change);
  const [open] = proposals.all;
  if (!open) throw new Error("nothing is open");
  let text = proposal.newContent;
  const document = { uri: open.uri, lineCount: 4, getText: () => text };
  (vscode.workspace.textDocuments as unknown[]).push(document);
  const startThread = (first: number, last: number) => ({
    uri: open.uri,
    range: new vscode.Range(first, 0, last, 0),
    comments: [] as { readonly body: string }[],
    dispose: vi.fn(),
  });
  return {
    ...{ decisions, saved, open, proposals, document, startThread },
    ...{
      decide: createDecisions(proposals, createGroups(proposals, noTurns)),
      places: () => saved.at(-1)?.map(toPlace),
    },
    edit(range: unknown, inserted: string, whole: string) {
      text = whole;
      for (const listener of edits) listener({ document, contentChanges: [{ range, text: inserted }] });
    },
  };
}

const toPlace = ({ startLine, endLine, quote, text }: Comment) => [startLine, endLine, quote, text];

test("comments of several threads are saved in the order of their lines, with the lines they are on", async () => {
  const { saved, startThread, places } = await openOne();
  const [late, early] = [startThread(2, 2), startThread(0, 1)];
  await commands.get("addComment")?.({ thread: late, text: " why three? " });
  await commands.get("addComment")?.({ thread: early, text: "too long" });
  await commands.get("addComment")?.({ thread: early, text: "and dull" });
  expect(places()).toEqual([
    [1, 2, "one\ntwo", "too long"],
    [1, 2, "one\ntwo", "and dull"],
    [3, 3, "three", "why three?"],
  ]);
  expect(new Set(saved.at(-1)?.map(({ id }) => id)).size).toBe(3);
});

test("only proposals can be commented on, and on all of their lines", async () => {
  const { document } = await openOne();
  expect(threads.ranges(document)).toEqual([new vscode.Range(0, 0, 3, 0)]);
  expect(threads.ranges({ uri: vscode.Uri.file("/nowhere/a.txt"), lineCount: 4 })).toEqual([]);
});

test("a comment is edited, an edit is cancelled, and an emptied comment goes away with its thread", async () => {
  const { startThread, places } = await openOne();
  const thread = startThread(0, 0);
  await commands.get("addComment")?.({ thread, text: "why?" });
  const comment = thread.comments[0] as { body: string };
  await commands.get("editComment")?.(comment);
  comment.body = "why ever?";
  await commands.get("cancelComment")?.(comment);
  expect(comment.body).toBe("why?");
  comment.body = "what for?";
  await commands.get("saveComment")?.(comment);
  expect(places()).toEqual([[1, 1, "one", "what for?"]]);
  comment.body = "  ";
  await commands.get("saveComment")?.(comment);
  expect(places()).toEqual([]);
  expect(thread.dispose).toHaveBeenCalledOnce();
});

test("a comment stays on its lines when lines are inserted above", async () => {
  const { startThread, places, edit } = await openOne();
  await commands.get("addComment")?.({ thread: startThread(1, 1), text: "why?" });
  edit(new vscode.Range(0, 3, 0, 3), "\nhalf", "one\nhalf\ntwo\nthree\n");
  expect(places()).toEqual([[3, 3, "two", "why?"]]);
});

test.each([
  ["inserted at their beginning", [2, 0, 2, 0], "a\n", [3, 4]],
  ["inserted among them", [2, 1, 2, 1], "\n", [2, 4]],
  ["inserted below", [4, 0, 4, 0], "\n", [2, 3]],
  ["removed above", [0, 0, 1, 0], "", [1, 2]],
  ["removed with their first", [1, 0, 3, 0], "", [1, 1]],
  ["removed with all of them", [1, 0, 5, 0], "", [1, 1]],
  ["changed without a line more", [0, 0, 0, 1], "x", [2, 3]],
] as const)("the commented lines when text is %s", (_, [line, character, endLine, end], text, expected) => {
  const range = new vscode.Range(line, character, endLine, end);
  const { start, end: last } = moveRange(new vscode.Range(2, 0, 3, 0), { range, text });
  expect([start.line, last.line]).toEqual(expected);
});

test("comments are shown again where the change is another document, and are the same", async () => {
  const one = await openOne();
  const thread = one.startThread(1, 1);
  await commands.get("addComment")?.({ thread, text: "why?" });
  one.open.uri = one.open.uri.with({ scheme: "ide-companion", query: `${one.open.uri.query}.own` });
  one.proposals.setViewed(one.open, "none", true);
  expect(thread.dispose).toHaveBeenCalledOnce();
  expect(created).toMatchObject([{ uri: one.open.uri, comments: [{ body: "why?" }] }]);
  expect(one.saved).toHaveLength(1);
});

test("every decision about a change with comments carries them", async () => {
  const one = await openOne();
  await commands.get("addComment")?.({ thread: one.startThread(0, 0), text: "why?" });
  await one.decide.rejectAndSayWhy(one.open);
  await one.decide.acceptAndAskForMore(one.open);
  await one.decide.reject(one.open);
  const comments = one.saved.at(-1);
  expect(comments).toHaveLength(1);
  expect(one.decisions).toEqual([
    { kind: "rejected", comments },
    { kind: "accepted", content: "one\ntwo\nthree\n", comments },
    { kind: "rejected", comments },
  ]);
});

test("a decision about all changes carries the comments on each", async () => {
  const one = await openOne();
  await commands.get("addComment")?.({ thread: one.startThread(0, 0), text: "why?" });
  await one.decide.rejectAll();
  expect(one.decisions).toEqual([{ kind: "rejected", comments: one.saved.at(-1) }]);
});

test("a decision that is to carry comments asks for one where there is none", async () => {
  const { decide, open, decisions } = await openOne();
  await decide.rejectAndSayWhy(open);
  expect(decisions).toEqual([]);
  expect(messages.join()).toContain("Comment on a line first");
});
