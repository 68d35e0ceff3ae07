import { expect, test } from "vitest";
import { placeHunks } from "../../core/hunks.ts";
import type { OpenDiffParams, UpdateDiffParams } from "../protocol/messages.ts";
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

/** A Kakoune session that only listens. @param written what it writes of a buffer */
function start(written?: string) {
  const commands: string[] = [];
  const done = async (...all: readonly string[]) => void commands.push(...all);
  const buffers = new ProposalBuffers({
    folder: {
      write: () => "/private/a.txt",
      make: () => "",
      remove: () => {},
      holds: () => true,
      findSavedEdits: () => [],
      close: () => {},
    },
    session: {
      do: done,
      ask: async ([name = ""], ...asked) => {
        await done(...asked);
        return name;
      },
      writes: (name) => `write ${name}`,
      readBuffer: async () => ({ text: written ?? "", timestamp: "7" }),
    },
    onDraft: async () => null,
  });
  const file = { filePath: "/project/a.txt", label: "a.txt", original: "old\n", newContent: "new\n" };
  return {
    commands,
    update: (change: Partial<UpdateDiffParams>) => {
      const params = {
        id: "1",
        newContent: "new\nthree\n",
        original: "old\nthree\n",
        notes: [],
        facts: [],
        words: ["a.txt has changed on disk.", "merged with the file", "merged"],
        seen: "new\n",
        content: "new\nthree\n",
        state: "merged" as const,
        ...change,
      };
      const { original, seen, content } = params;
      const [hunks, edits] = [placeHunks(original ?? "", content), placeHunks(seen, content)];
      return buffers.update({ ...params, hunks, edits });
    },
    open: (change: Partial<OpenDiffParams>) => {
      const params = { id: "1", agent: "Toy", notes: [], facts: [], ...file, ...change };
      return buffers.open({ ...params, hunks: placeHunks(params.original ?? "", params.newContent) });
    },
  };
}

test("a proposal is marked in the lines and columns of Kakoune's buffer", async () => {
  const { commands, open } = start();
  await open({ original: "\uFEFFone\rstill one\nold\n", newContent: "\uFEFF1\rstill 1\nnew\n" });
  expect(commands[1]).toContain("'1|{blue}~' '2|{blue}~'");
  expect(commands[2]).toContain("'1.1+9|IdeCompanionChange' '2.1+3|IdeCompanionChange'");
});

test("what a diff shows badly, and what acceptance costs, stands first in the box and in the modeline", async () => {
  const { commands, open } = start();
  await open({ facts: ["only white space", "replaces 3 non-UTF-8 lines"] });
  const title = "only white space, replaces 3 non-UTF-8 lines: Toy proposes a.txt +1 −1";
  expect(commands[0]).toContain(`'${title}, :w accepts`);
  expect(commands.at(-2)).toContain(`'${title}\n`);
});

test("a proposal that is outdated, or shows two versions, does not offer to be accepted as it is", async () => {
  const { commands, open, update } = start("new\n");
  await open({});
  await update({ state: "stale", words: ["", "", "outdated"] });
  expect(commands.at(-1)).toContain("outdated: Toy proposes a.txt +1 −1, :db rejects");
  await update({ state: "clash", words: ["", "", "in conflict"] });
  expect(commands.at(-1)).toContain("in conflict: Toy proposes a.txt +1 −1, choose, then :w accepts");
});

test("a proposal whose agent takes no edits says so in the box and in the modeline", async () => {
  const { commands, open } = start();
  const readOnlyReason = "Toy takes no edits: it writes its own text.";
  await open({ readOnlyReason });
  expect(commands[0]).toContain("takes no edits: Toy proposes a.txt +1 −1, :w accepts");
  expect(commands.at(-2)).toContain(`takes no edits: Toy proposes a.txt +1 −1\n${readOnlyReason}\n`);
});

test("a proposal whose file has changed on disk is given the lines that differ, and compared with the file as it is now", async () => {
  const { commands, open, update } = start("new\n");
  await open({});
  expect(await update({})).toContain("has changed on disk");
  const command = commands.at(-1) ?? "";
  expect(command).toContain("ide-companion-require-calm 7\n");
  expect(command).toContain("select 1.1,1.1");
  expect(command).toContain("three\n");
  expect(command).toContain("merged: Toy proposes a.txt +1 −1, :w accepts");
  expect(command).toContain("ide_companion_flags %val{timestamp} ''1|{blue}~''\n");
});

test("a proposal in which something was typed meanwhile stays as it is when its file changes on disk", async () => {
  const { commands, open, update } = start("typed\n");
  await open({});
  expect(await update({})).toBeUndefined();
  expect(commands.join()).not.toContain("require-calm");
});

test("a proposal without an end of its last line gets one from its file on disk", async () => {
  const { commands, open, update } = start("new\n");
  await open({ newContent: "new" });
  expect(await update({ seen: "new", content: "new\n", newContent: "new\n" })).toContain(
    "has changed on disk",
  );
  expect(commands.at(-1)).not.toContain("execute-keys");
});
