import type { Rebase } from "ide-companion";
import { expect, test, vi } from "vitest";
import { ToyChange, toyProposal } from "../testing/toy-change.ts";
import type { ProposalViews } from "./proposal-views.ts";
import { Proposals } from "./proposals.ts";

/** What listens to documents that are opened, and to those that are closed. */
const { opened, closed } = vi.hoisted(() => ({
  opened: [] as ((document: unknown) => void)[],
  closed: [] as ((document: unknown) => void)[],
}));

vi.mock("vscode", async () => {
  const { FakeUri: Uri } = await import("../testing/fake-uri.ts");
  const never = () => ({ dispose() {} });
  return {
    Uri,
    EventEmitter: class {
      readonly #listeners: (() => void)[] = [];
      event = (listener: () => void) => this.#listeners.push(listener);
      fire() {
        for (const listener of this.#listeners) listener();
      }
    },
    window: { tabGroups: { onDidChangeTabs: never } },
    EndOfLine: { LF: 1, CRLF: 2 },
    workspace: {
      onDidOpenTextDocument: (listener: (document: unknown) => void) => void opened.push(listener),
      onDidCloseTextDocument: (listener: (document: unknown) => void) => void closed.push(listener),
      onDidChangeTextDocument: never,
    },
  };
});

test("what waits is known before VS Code shows it: the window may end meanwhile", async () => {
  const known: string[][] = [];
  let knownWhenShown: string[] | undefined;
  const views = {
    show: async () => {
      knownWhenShown = known.at(-1);
    },
  } satisfies Partial<ProposalViews> as unknown as ProposalViews;
  const proposals = new Proposals(views);
  proposals.onChange(() => known.push(proposals.all.map(({ proposal }) => proposal.id)));
  await proposals.open(new ToyChange());
  expect(knownWhenShown).toEqual(["1"]);
});

test("a change follows its file, but not while the user types in it, nor over a text that nobody has merged", async () => {
  let isTyping = true;
  const views = {
    show: async () => {},
    isTypedIn: () => isTyping,
    follow: async () => {},
  } satisfies Partial<ProposalViews> as unknown as ProposalViews;
  const proposals = new Proposals(views);
  const change = new ToyChange();
  await proposals.open(change);
  const proposal = { ...toyProposal, newContent: "new\ntheirs\n" };
  const update = { proposal, seen: "new\n", text: "new\ntheirs\n", state: "merged" } as const;
  const rebase = async (given: Rebase) => {
    change.offered = given;
    await proposals.update(change, given);
    return change.text;
  };
  expect(await rebase(update)).toBe("new\n");
  isTyping = false;
  expect(await rebase({ ...update, seen: "other\n" })).toBe("new\n");
  expect(proposals.all[0]?.change.state).toBe("current");
  expect(await rebase(update)).toBe("new\ntheirs\n");
  expect(proposals.all[0]?.change.state).toBe("merged");
});

test("what was typed in a document that VS Code has closed is in the change, and in the next document", async () => {
  const views = { show: async () => {} } satisfies Partial<ProposalViews> as unknown as ProposalViews;
  const proposals = new Proposals(views);
  const change = new ToyChange({ ...toyProposal, newContent: "\uFEFFnew\r\n" });
  await proposals.open(change);
  const [open] = proposals.all;
  if (!open) throw new Error("nothing is open");
  let text = "new\r\n";
  const show = () => ({ uri: open.uri, eol: 2, languageId: "plaintext", getText: () => text });
  const first = show();
  opened.at(-1)?.(first);
  expect(open.isEdited).toBe(false);
  text = "mine\r\n";
  closed.at(-1)?.(first);
  expect(change.text).toBe("\uFEFFmine\r\n");
  opened.at(-1)?.(show());
  expect([open.isEdited, open.text]).toEqual([true, "\uFEFFmine\r\n"]);
});
