import type { CompanionEvent, Proposal, RecoveredComments } from "ide-companion";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { WaitingComments } from "./waiting-comments.ts";

const { answers, clipboard, commands, messages, picks } = vi.hoisted(() => ({
  answers: [] as (string | undefined | Promise<string>)[],
  clipboard: [] as string[],
  commands: new Map<string, () => unknown>(),
  messages: [] as string[],
  picks: [] as string[],
}));

vi.mock("vscode", () => {
  const show = async (text: string) => {
    messages.push(text);
    return answers.shift();
  };
  return {
    QuickPickItemKind: { Separator: -1 },
    commands: {
      executeCommand: async () => {},
      registerCommand: (name: string, run: () => unknown) => {
        commands.set(name, run);
        return { dispose() {} };
      },
    },
    env: { clipboard: { writeText: async (text: string) => void clipboard.push(text) } },
    l10n: {
      t: (text: string, ...values: string[]) => values.reduce((t, v, i) => t.replace(`{${i}}`, v), text),
    },
    window: {
      showInformationMessage: show,
      showWarningMessage: show,
      showQuickPick: async (items: readonly { label: string }[]) => {
        const wanted = picks.shift() ?? "nothing";
        return items.find(({ label }) => label.includes(wanted));
      },
    },
    workspace: {
      workspaceFolders: [{ uri: { scheme: "file", fsPath: "/home/ada/app" } }],
      asRelativePath: (path: string) => path.replace("/home/ada/app/", ""),
    },
  };
});

beforeEach(() => {
  for (const list of [answers, clipboard, messages, picks]) list.length = 0;
});

const waiting: RecoveredComments = {
  id: "12345678",
  filePath: "/home/ada/app/a.txt",
  agent: "Toy",
  at: 0,
  reason: "The prompt of Toy could not be reached.",
  outcome: "rejected",
  comments: [{ id: "1", side: "proposed", startLine: 2, endLine: 2, quote: "two", text: "why?" }],
};
const text = "I rejected your change. My comments:\n\n@/home/ada/app/a.txt:2\n> two\nwhy?";

/** @param prompt of the agent that can be reached @param left what an earlier window has left */
function start({
  prompt,
  left = [waiting],
}: {
  readonly prompt?: string;
  readonly left?: RecoveredComments[];
} = {}) {
  const discarded: string[] = [];
  let list = left;
  const memory = new Map<string, unknown>();
  const comments = {
    list: () => list,
    read: () => waiting,
    add: () => {},
    discard: (id: string) => {
      list = [];
      return discarded.push(id) > 0;
    },
  };
  const ui = new WaitingComments({ comments, sendComments: async () => prompt }, {
    get: (key: string, otherwise: unknown) => memory.get(key) ?? otherwise,
    update: async (key: string, value: unknown) => void memory.set(key, value),
  } as never);
  return {
    ...{ ui, discarded },
    /** An earlier window leaves comments only now, or none. */
    leave: (all: typeof list) => {
      list = all;
    },
  };
}

const recovered = (wasSent: boolean, comments = waiting): CompanionEvent => ({
  kind: "comments-recovered",
  proposal: {} as Proposal,
  comments,
  wasSent,
});

/** An answer that the user gives later. */
function later() {
  let resolve = (_answer: string) => {};
  const promise = new Promise<string>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** Two comments that were sent one after the other, and the answers to their offers. */
async function offerTwo(agent: string) {
  const { ui, discarded, leave } = start({ left: [] });
  const second = { ...waiting, id: "87654321", filePath: "/home/ada/app/b.txt", agent };
  leave([waiting, second]);
  const one = later();
  const other = later();
  answers.push(one.promise, other.promise);
  ui.handle(recovered(true));
  ui.handle(recovered(true, second));
  await vi.waitFor(() => expect(messages).toHaveLength(2));
  onTestFinished(() => ui.dispose());
  return { discarded, one, other, secondText: text.replace("a.txt", "b.txt") };
}

test("comments that were sent and reached no prompt are on the clipboard, and a line says so", async () => {
  answers.push(undefined, "Done");
  const { ui, discarded } = start();
  await vi.waitFor(() => expect(messages).toHaveLength(1));
  ui.handle(recovered(true));
  await vi.waitFor(() => expect(discarded).toEqual(["12345678"]));
  expect(clipboard).toEqual([text]);
  expect(messages.at(-1)).toBe(
    "Your comments on a.txt are on the clipboard: paste them into the prompt of Toy.",
  );
  ui.dispose();
});

test("comments that are sent while earlier ones are still on the clipboard join them there", async () => {
  const { discarded, one, other, secondText } = await offerTwo("Toy");
  expect(clipboard).toEqual([text, `${text}\n\n${secondText}`]);
  other.resolve("Done");
  one.resolve("Done");
  await vi.waitFor(() => expect(discarded.toSorted()).toEqual(["12345678", "87654321"]));
  expect(clipboard).toHaveLength(2);
});

test("comments that those for another agent have replaced on the clipboard are copied again", async () => {
  const { discarded, one, secondText } = await offerTwo("Other");
  expect(clipboard).toEqual([text, secondText]);
  const again = later();
  answers.push(again.promise);
  one.resolve("Done");
  await vi.waitFor(() => expect(messages).toHaveLength(3));
  expect([clipboard.at(-1), discarded]).toEqual([text, []]);
  again.resolve("Done");
  await vi.waitFor(() => expect(discarded).toEqual(["12345678"]));
});

test("comments of an earlier window are announced once, and stay until their user discards them", async () => {
  answers.push("Show my comments");
  picks.push("Copy them");
  const { ui, discarded } = start();
  await vi.waitFor(() => expect(clipboard).toEqual([text]));
  expect(messages).toEqual(["Your comments on a.txt wait. The prompt of Toy could not be reached."]);
  expect(discarded).toEqual([]);
  picks.push("a.txt", "Discard them");
  await commands.get("ideCompanion.waitingComments")?.();
  expect(discarded).toEqual(["12345678"]);
  ui.dispose();
});

test("comments go into a prompt on request, and a line says where to press Enter", async () => {
  const { ui } = start({ prompt: "Toy 2" });
  picks.push("a.txt", "Put them into the prompt");
  await commands.get("ideCompanion.waitingComments")?.();
  expect(messages.at(-1)).toBe("Your comments are in the prompt of Toy 2: press Enter there to send them.");
  expect(clipboard).toEqual([]);
  ui.dispose();
});

test("a window that has ended does not announce what an earlier one leaves", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { ui, leave } = start({ left: [] });
  ui.dispose();
  leave([waiting]);
  vi.runAllTimers();
  expect(messages).toEqual([]);
});
