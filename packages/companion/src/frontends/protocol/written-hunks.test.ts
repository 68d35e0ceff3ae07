import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import type { Written } from "../../core/written/written.ts";
import { WrittenWatch } from "../../core/written/written-watch.ts";
import { createPathLabels } from "../../files/workspace-path.ts";
import { writtenFolder } from "../../system/host.ts";
import { privateHost } from "../../testing/core.ts";
import { createWritingAgent } from "../lsp/testing/writing-agent.ts";
import { HunksFollower } from "./written-hunks.ts";
import { toRecords } from "./written-list.ts";
import type { WrittenHunks } from "./written-messages.ts";

/** A slow read ends while the first one that finds less in the record is under way. */
class OvertakenWatch extends WrittenWatch {
  isSlow = false;
  end: (() => void) | undefined;

  override async read(): Promise<Written> {
    const former = this.latest;
    const written = await super.read();
    if (this.end && written.openSince().size < (former?.openSince().size ?? 0)) {
      this.end();
      await new Promise(setImmediate);
    } else if (this.isSlow && !this.end)
      await new Promise<void>((resolve) => {
        this.end = resolve;
      });
    return written;
  }
}

/** A frontend that follows files of a folder, and an agent. */
function follow() {
  const host = privateHost();
  const root = privateFolder();
  const agent = createWritingAgent(host);
  const folder = writtenFolder(host);
  const watch = new OvertakenWatch({ folder, onTurn: () => {}, isSecret: async () => false });
  const heard: WrittenHunks[] = [];
  const follower = new HunksFollower({
    labels: createPathLabels(() => [root]),
    started: async () => ({ written: watch }),
    onWritten: () => {},
    onHunks: (hunks) => void heard.push(hunks),
  });
  onTestFinished(() => {
    follower.close();
    watch.close();
  });
  agent.begin("Count");
  watch.start();
  /** Decides on disk about the hunks of a file that begin in a line. */
  const decide = async (action: "keep" | "revert", filePath: string, line: number) => {
    const { revision, hunks } = await follower.place({ filePath, content: readFileSync(filePath, "utf8") });
    const ids = hunks.filter((hunk) => hunk.line === line).map(({ id }) => id);
    await follower.decide({ filePath, revision, ids }, action);
  };
  return { host, root, agent, watch, follower, heard, decide };
}

test("a hunk that is kept while the record is read is not shown once more by what was read", async () => {
  const { root, agent, watch, follower, heard } = follow();
  const [poem, other] = [path.join(root, "poem.txt"), path.join(root, "other.txt")];
  for (const file of [poem, other]) writeFileSync(file, "1\n2\n3\n");
  await agent.write(poem, "one\n2\n3\n");
  follower.open([poem]);
  const ofPoem = () => heard.filter(({ filePath }) => filePath === poem);
  await eventually(() => expect(ofPoem()).toMatchObject([{ hunks: [{ line: 1 }] }]));

  watch.isSlow = true;
  await agent.write(other, "1\n2\nthree\n");
  await eventually(() => expect(watch.end).toBeDefined());
  const { revision, hunks } = await follower.place({ filePath: poem, content: "one\n2\n3\n" });
  await follower.decide({ filePath: poem, revision, ids: hunks.map(({ id }) => id) }, "keep");
  expect(ofPoem().slice(1)).toMatchObject([{ revision: "", hunks: [] }]);
});

test("without a document a hunk is reverted in its file, and a file that the agent made is deleted", async () => {
  const { root, agent, follower, decide } = follow();
  const [poem, made] = [path.join(root, "poem.txt"), path.join(root, "made.txt")];
  writeFileSync(poem, "1\n2\n3\n");
  await agent.write(poem, "one\n2\nthree\n");
  await agent.write(made, "1\n2\n");
  await decide("revert", poem, 3);
  expect(readFileSync(poem, "utf8")).toBe("one\n2\n3\n");
  const { revision, hunks } = await follower.place({ filePath: made, content: "1\n2\n" });
  const all = { filePath: made, revision, ids: hunks.map(({ id }) => id) };
  await expect(follower.decide(all, "revert", "1\n2\n")).rejects.toThrow("The change made this file");
  await decide("revert", made, 1);
  expect(existsSync(made)).toBe(false);
});

test("hunks of several turns are one where they touch, and go with all of them", async () => {
  const { host, root, agent, watch, follower, decide } = follow();
  const poem = path.join(root, "poem.txt");
  writeFileSync(poem, "1\n2\n3\n4\n5\n");
  await agent.write(poem, "1\n2\nthree\n4\nfive\n");
  const other = createWritingAgent(host, "codex");
  other.begin("Another");
  const written = "0\n1\n2\n3rd\n3b\n4\nfive\n";
  await other.write(poem, written);
  const { hunks } = await follower.place({ filePath: poem, content: written });
  expect(hunks.map(({ agent: name, line, removed }) => [name, line, ...removed])).toEqual([
    ["Codex CLI", 1],
    ["Codex CLI", 4, "3"],
    ["Gemini CLI", 7, "5"],
  ]);
  await decide("revert", poem, 4);
  expect(readFileSync(poem, "utf8")).toBe("0\n1\n2\n3\n4\nfive\n");
  await decide("keep", poem, 6);
  expect(toRecords(await watch.read())).toMatchObject([{ agent: "Codex CLI", added: 1, removed: 0 }]);
});
