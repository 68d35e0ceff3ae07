import type { Companion, Decision, Turn } from "ide-companion";
import { progressOf } from "ide-companion/editor-kit";
import { beforeEach, expect, test, vi } from "vitest";
import { ToyChange } from "../testing/toy-change.ts";
import { createDecisions } from "./decisions.ts";
import type { ProposalViews } from "./proposal-views.ts";
import { Proposals } from "./proposals.ts";
import { createGroups } from "./waiting-groups.ts";

const { answers, asked, texts } = vi.hoisted(() => ({
  answers: [] as (string | undefined)[],
  asked: [] as { readonly question: string; readonly detail: string; readonly offered: string[] }[],
  texts: [] as (string | undefined)[],
}));

vi.mock("vscode", async () => {
  const never = () => ({ dispose() {} });
  const { FakeUri: Uri } = await import("../testing/fake-uri.ts");
  class EventEmitter {
    readonly listeners: (() => void)[] = [];
    event = (listener: () => void) => {
      this.listeners.push(listener);
      return never();
    };
    fire() {
      for (const listener of this.listeners) listener();
    }
    dispose() {}
  }
  return {
    Uri,
    EventEmitter,
    Disposable: { from: never },
    l10n: {
      t: (text: string, ...values: string[]) => values.reduce((t, v, i) => t.replace(`{${i}}`, v), text),
    },
    window: {
      tabGroups: { onDidChangeTabs: never },
      async showWarningMessage(question: string, { detail }: { detail: string }, ...offered: string[]) {
        asked.push({ question, detail, offered });
        return answers.shift();
      },
      showInputBox: async () => texts.shift(),
    },
    workspace: {
      asRelativePath: (path: string) => path.slice(1),
      textDocuments: [],
      notebookDocuments: [],
      onDidOpenTextDocument: never,
      onDidCloseTextDocument: never,
      onDidChangeTextDocument: never,
    },
  };
});

beforeEach(() => {
  for (const list of [answers, asked, texts]) list.length = 0;
});

const ahead = "Accept all, and the rest of this turn…";

/** Proposals of two agents that wait, a.txt and c.txt of one, b.txt of the other, in turns. */
async function openThree() {
  const decided: [string, Decision["kind"]][] = [];
  const views = { show: async () => {}, close: async () => {} } as unknown as ProposalViews;
  const proposals = new Proposals(views);
  for (const [at, [id, agent]] of [
    ["a", "One"],
    ["b", "Two"],
    ["c", "One"],
  ].entries())
    await proposals.open(
      new ToyChange(
        {
          ...{ id: `${id}`, sessionId: `${agent}`, agent: `${agent}`, filePath: `/${id}.txt` },
          ...{ newContent: "new\n", base: { kind: "missing" }, openedAt: at },
        },
        (decision) => {
          decided.push([`${id}`, decision.kind]);
          return { taken: true };
        },
      ),
    );
  const turn = (id: string, agent: string, waiting: string[]): Turn => ({
    ...{ id, agent, sessionId: agent, waiting, decided: 0 },
  });
  const acceptRest = vi.fn<Companion["turns"]["acceptRest"]>();
  const list = [turn("1", "One", ["a", "c"]), turn("2", "Two", ["b"])];
  const groups = createGroups(proposals, { list, onChange: () => () => {}, acceptRest, stop: () => {} });
  const [first] = groups.all;
  if (!first) throw new Error("nothing waits");
  return { decided, groups, proposals, first, acceptRest, decisions: createDecisions(proposals, groups) };
}

test("files are listed by agent and turn, and one goes through them in that order", async () => {
  const { groups } = await openThree();
  expect(groups.all.map((group) => [group.agent, progressOf(group).total])).toEqual([
    ["One", 2],
    ["Two", 1],
  ]);
  expect(groups.proposals.map(({ proposal }) => proposal.id)).toEqual(["a", "c", "b"]);
});

test("the rest of one agent's turn is accepted after a question, and nothing ahead unless that was chosen", async () => {
  const { decisions, first, decided, acceptRest } = await openThree();
  answers.push("Accept all");
  await decisions.acceptRest(first);
  expect(asked).toEqual([
    {
      question: "Accept what One proposes?",
      detail: "a.txt: +1 −0, One\nc.txt: +1 −0, One",
      offered: ["Accept all", ahead],
    },
  ]);
  expect(decided).toEqual([
    ["a", "accepted"],
    ["c", "accepted"],
  ]);
  expect(acceptRest).not.toHaveBeenCalled();
});

test("a turn is accepted ahead up to the files that the user names", async () => {
  const { decisions, first, decided, acceptRest } = await openThree();
  answers.push(ahead);
  texts.push("*.sql, migrations/");
  await decisions.acceptRest(first);
  expect(decided).toHaveLength(2);
  expect(acceptRest).toHaveBeenCalledExactlyOnceWith("1", ["*.sql", "migrations/"]);
});

test.each([
  ["at the question", undefined],
  ["where to stop", ahead],
])("nothing is decided when the user changes their mind %s", async (_, answer) => {
  const { decisions, first, decided, acceptRest } = await openThree();
  answers.push(answer);
  texts.push(undefined);
  await decisions.acceptRest(first);
  expect([decided, acceptRest.mock.calls]).toEqual([[], []]);
});

test("what was decided while the question was open is left out", async () => {
  const { decisions, proposals, first, decided } = await openThree();
  const [open] = proposals.all;
  if (open) await proposals.close(open.change, "agent");
  answers.push("Accept all");
  await decisions.acceptRest(first);
  expect(decided).toEqual([["c", "accepted"]]);
});
