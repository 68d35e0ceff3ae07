import { writeFileSync } from "node:fs";
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

test("a hunk that is kept while the record is read is not shown once more by what was read", async () => {
  const host = privateHost();
  const root = privateFolder();
  const agent = createWritingAgent(host);
  const [poem, other] = [path.join(root, "poem.txt"), path.join(root, "other.txt")];
  for (const file of [poem, other]) writeFileSync(file, "1\n2\n3\n");
  const folder = writtenFolder(host);
  const watch = new OvertakenWatch({ folder, onTurn: () => {}, isSecret: async () => false });
  const heard: (readonly [revision: string, hunks: number])[] = [];
  const follower = new HunksFollower({
    labels: createPathLabels(() => [root]),
    started: async () => ({ written: watch }),
    onWritten: () => {},
    onHunks: ({ filePath, revision, hunks }) =>
      filePath === poem && void heard.push([revision, hunks.length]),
  });
  onTestFinished(() => {
    follower.close();
    watch.close();
  });
  agent.begin("Count");
  await agent.write(poem, "one\n2\n3\n");
  watch.start();
  follower.open([poem]);
  await eventually(() => expect(heard).toEqual([[expect.any(String), 1]]));

  watch.isSlow = true;
  await agent.write(other, "1\n2\nthree\n");
  await eventually(() => expect(watch.end).toBeDefined());
  const id = (await follower.place({ filePath: poem, content: "one\n2\n3\n" })).hunks[0]?.id ?? "";
  await follower.decide({ filePath: poem, revision: heard[0]?.[0] ?? "", ids: [id], action: "keep" });
  expect(heard.slice(1)).toEqual([["", 0]]);
});
