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

test("a proposal whose agent takes no edits says so in the box and in the modeline", async () => {
  const commands: string[] = [];
  const readOnlyReason = "Toy takes no edits: it writes its own text.";
  const buffers = new ProposalBuffers({
    folder: {
      write: () => "/private/a.txt",
      make: () => "",
      remove: () => {},
      holds: () => true,
      findSavedEdits: () => [],
      close: () => {},
    },
    ownFolder: "/private",
    mailbox: {
      read: () => undefined,
      take: () => undefined,
      receive: async ([name]) => name ?? "",
      close: () => {},
    },
    remote: { do: async (...all) => void commands.push(...all), rename: () => {} },
    onDraft: () => {},
  });
  const file = { filePath: "/project/a.txt", label: "a.txt", original: "old\n", newContent: "new\n" };
  await buffers.open({ id: "1", agent: "Toy", notes: [], readOnlyReason, ...file });
  expect(commands[0]).toContain("Toy proposes a.txt +1 −1, takes no edits, :w accepts");
  expect(commands.at(-1)).toContain(`takes no edits\n${readOnlyReason}\n`);
});
