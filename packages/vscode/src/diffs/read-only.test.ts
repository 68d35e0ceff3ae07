import type { Decision } from "ide-companion";
import { expect, onTestFinished, test, vi } from "vitest";
import { noTurns, ToyChange, toyProposal } from "../testing/toy-change.ts";
import { createDecisions } from "./decisions.ts";
import { registerDiffCommands } from "./diff-commands.ts";
import { provideLenses } from "./hunk-lenses.ts";
import type { OpenProposal } from "./open-proposal.ts";
import type { ProposalViews } from "./proposal-views.ts";
import { Proposals } from "./proposals.ts";
import { createGroups } from "./waiting-groups.ts";

const { commands, documents, lenses, messages, choices } = vi.hoisted(() => ({
  commands: new Map<string, (...args: unknown[]) => unknown>(),
  documents: [] as ((document: unknown) => void)[],
  lenses: [] as { provideCodeLenses(document: unknown): { command: { title: string } }[] }[],
  messages: [] as string[],
  choices: [] as string[],
}));

vi.mock("vscode", async () => {
  const { FakeUri: Uri } = await import("../testing/fake-uri.ts");
  const never = () => ({ dispose() {} });
  return {
    Uri,
    l10n: {
      t: (text: string, ...values: string[]) => values.reduce((t, v, i) => t.replace(`{${i}}`, v), text),
    },
    Disposable: { from: never },
    EventEmitter: class {
      event = never;
      fire() {}
    },
    Range: class {},
    CodeLens: class {
      readonly command: unknown;
      constructor(_: unknown, command: unknown) {
        this.command = command;
      }
    },
    commands: {
      registerCommand: (name: string, run: () => unknown) => {
        commands.set(name, run);
        return never();
      },
    },
    languages: {
      registerCodeLensProvider: (_: unknown, provider: (typeof lenses)[number]) => {
        lenses.push(provider);
        return never();
      },
      setTextDocumentLanguage: async () => {},
    },
    window: {
      onDidChangeTextEditorSelection() {},
      async showInformationMessage(text: string, ...offered: string[]) {
        messages.push(text);
        return offered.find((choice) => choices.includes(choice));
      },
    },
    workspace: {
      textDocuments: [],
      notebookDocuments: [],
      onDidCloseTextDocument: never,
      onDidOpenTextDocument: (listener: (document: unknown) => void) => {
        documents.push(listener);
        return never();
      },
      onDidChangeTextDocument: never,
    },
  };
});

const readOnlyReason = "Toy takes no edits: it writes its own text.";

/** A proposal that is open in a window. Its agent takes no edits by default. */
async function openOne({ takesEdits = false, showsLenses = true } = {}) {
  const decisions: Decision[] = [];
  const drafts: string[] = [];
  const shown: OpenProposal[] = [];
  const views = {
    show: async () => {},
    makeEditable: async (open: OpenProposal) => void shown.push(open),
    showsLenses: async () => showsLenses,
    close: async () => {},
  } satisfies Partial<ProposalViews> as unknown as ProposalViews;
  const proposals = new Proposals(views);
  const proposal = {
    ...toyProposal,
    ...(takesEdits ? {} : { readOnlyReason: { code: "takes-no-edits", values: ["Toy"] } as const }),
  };
  const decide = (decision: Decision) => {
    decisions.push(decision);
    return { taken: true } as const;
  };
  provideLenses(proposals);
  const groups = createGroups(proposals, noTurns);
  const goToWritten = async () => false;
  registerDiffCommands({
    proposals,
    views,
    groups,
    decisions: createDecisions(proposals, groups),
    goToWritten,
  });
  const change = new ToyChange(proposal, decide, (text) => drafts.push(text));
  await proposals.open(change);
  const [open] = proposals.all;
  if (!open) throw new Error("nothing is open");
  let text = "new\n";
  const document = { uri: open.uri, lineCount: 2, version: 1, languageId: "plaintext", getText: () => text };
  documents.at(-1)?.(document);
  return {
    ...{ decisions, drafts, shown, proposals, open, change },
    lenses: () =>
      lenses
        .at(-1)
        ?.provideCodeLenses(document)
        .map(({ command }) => command.title) ?? [],
    type: (typed: string) => {
      text = typed;
    },
    run: (command: string) => commands.get(`ideCompanion.${command}`)?.(open.uri),
  };
}

test("a proposal whose agent takes no edits is read-only, says why, and has no button to revert a change", async () => {
  const { open, lenses } = await openOne();
  expect(open.isReadOnly).toBe(true);
  const [accept, reject, edit, description, ...others] = lenses();
  expect([accept, reject, edit]).toEqual(["$(check) Accept", "$(close) Reject", "$(edit) Edit"]);
  expect(description).toMatch(new RegExp(`^new file, \\+1 .*, \\$\\(lock\\) ${readOnlyReason}$`));
  expect(others.filter((title) => title.includes("Revert"))).toEqual([]);
});

test("the user's own version is edited on request, and accepted as one", async () => {
  const { open, run, lenses, shown, type, decisions } = await openOne();
  await run("editOwnVersion");
  expect([shown, open.isReadOnly]).toEqual([[open], false]);
  expect(messages).toContain("Accepting lets Toy write its own text. After that your version is offered.");
  expect(lenses().join()).toContain("Revert");
  type("mine\n");
  await run("accept");
  expect(decisions).toEqual([{ kind: "accepted", content: "mine\n", ownVersion: true }]);
});

test("where a diff has no lenses, a message says why a proposal is read-only, and offers to edit it", async () => {
  messages.splice(0);
  await openOne({ takesEdits: true, showsLenses: false });
  await openOne();
  expect(messages).toEqual([]);
  const { open, run } = await openOne({ showsLenses: false });
  expect([messages, open.isReadOnly]).toEqual([[readOnlyReason], true]);
  await run("reject");
  choices.push("Edit My Own Version");
  onTestFinished(() => void choices.pop());
  const { open: edited } = await openOne({ showsLenses: false });
  await vi.waitFor(() => expect(edited.isReadOnly).toBe(false));
});

test("the buttons above a change fit half a window, those for comments as well", async () => {
  const { change, lenses } = await openOne();
  change.saveComments([{ id: "1", side: "proposed", startLine: 1, endLine: 1, quote: "new", text: "why" }]);
  const buttons = lenses().slice(0, 3);
  expect(buttons).toEqual([
    "$(comment) Accept and Ask for More",
    "$(comment) Reject and Say Why",
    "$(edit) Edit",
  ]);
});

test("an agent that takes edits hears of no own version", async () => {
  const { run, type, decisions, lenses } = await openOne({ takesEdits: true });
  expect(lenses().join()).not.toContain("$(edit)");
  type("mine\n");
  await run("accept");
  expect(decisions).toEqual([{ kind: "accepted", content: "mine\n" }]);
});

test("what was typed last is saved before a rejection, once", async () => {
  const one = await openOne();
  await one.run("editOwnVersion");
  one.type("mine\n");
  await one.run("reject");
  expect(one.decisions).toEqual([{ kind: "rejected" }]);
  expect(one.drafts).toEqual(["mine\n"]);
});

test("the end of the window decides nothing, and gives back what was typed last", async () => {
  const one = await openOne();
  await one.run("editOwnVersion");
  one.type("mine\n");
  await one.proposals.close(one.change, "shutdown");
  expect(one.change.text).toBe("mine\n");
  expect(one.proposals.all).toEqual([]);
  expect(one.decisions).toEqual([]);
});
