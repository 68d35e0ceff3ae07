import { expect, test } from "vitest";
import { ProposalBuffers, toProposedText } from "./proposal-buffers.ts";

test.each([
  ["one\ntwo\n", "one\n", "one\ntwo\n"],
  ["one\n", "one", "one"],
  ["one\nmore\n", "one", "one\nmore"],
  ["one\n\n", "one", "one\n"],
  ["\n", "", ""],
  ["a\r\nb\r\n", "a\r\nb", "a\r\nb"],
  ["a\r\nc\r\n", "a\r\nb", "a\r\nc"],
])("the buffer %j of the proposal %j is %j", (written, proposed, text) => {
  expect(toProposedText(written, proposed)).toBe(text);
});

/** A Kakoune session that only listens. */
function start() {
  const commands: string[] = [];
  const buffers = new ProposalBuffers({
    folder: {
      write: () => "/private/a.txt",
      make: () => "",
      remove: () => {},
      holds: () => true,
      findSavedEdits: () => [],
      close: () => {},
    },
    mailbox: {
      folder: "/private",
      read: () => undefined,
      take: () => undefined,
      receive: async ([name]) => name ?? "",
      close: () => {},
    },
    remote: { do: async (...all) => void commands.push(...all), rename: () => {} },
    onDraft: () => {},
  });
  const file = { filePath: "/project/a.txt", label: "a.txt", original: "old\n", newContent: "new\n" };
  return {
    commands,
    open: (change: object) => buffers.open({ id: "1", agent: "Toy", notes: [], ...file, ...change }),
  };
}

test("a proposal is marked in the lines and columns of Kakoune's buffer", async () => {
  const { commands, open } = start();
  await open({ original: "\uFEFFone\rstill one\nold\n", newContent: "\uFEFF1\rstill 1\nnew\n" });
  expect(commands[1]).toContain("'1|{blue}~' '2|{blue}~'");
  expect(commands[2]).toContain("'1.1+9|IdeCompanionChange' '2.1+3|IdeCompanionChange'");
});

test("a proposal whose agent takes no edits says so in the box and in the modeline", async () => {
  const { commands, open } = start();
  const readOnlyReason = "Toy takes no edits: it writes its own text.";
  await open({ readOnlyReason });
  expect(commands[0]).toContain("Toy proposes a.txt +1 −1, takes no edits, :w accepts");
  expect(commands.at(-1)).toContain(`takes no edits\n${readOnlyReason}\n`);
});
