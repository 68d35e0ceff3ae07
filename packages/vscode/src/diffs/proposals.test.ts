import type { Rebase } from "ide-companion";
import { expect, test, vi } from "vitest";
import { ToyChange, toyProposal } from "../testing/toy-change.ts";
import type { ProposalViews } from "./proposal-views.ts";
import { Proposals } from "./proposals.ts";

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
    workspace: { onDidOpenTextDocument: never, onDidChangeTextDocument: never },
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
  expect(proposals.all[0]?.state).toBe("current");
  expect(await rebase(update)).toBe("new\ntheirs\n");
  expect(proposals.all[0]?.state).toBe("merged");
});
