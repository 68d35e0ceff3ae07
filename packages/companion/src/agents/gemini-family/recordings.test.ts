import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { play } from "../../../../testkit/src/recordings/player.ts";
import { readRecording } from "../../../../testkit/src/recordings/recording.ts";
import { startCore } from "../../testing/core.ts";
import { performAction } from "../../testing/played-user.ts";

const recordings = join(import.meta.dirname, "../../../../testkit/recordings");

for (const agent of ["gemini", "qwen"]) {
  for (const version of readdirSync(join(recordings, agent))) {
    describe(`${agent} ${version}, as recorded`, () => {
      const folder = join(recordings, agent, version);
      for (const name of readdirSync(folder)) {
        test(name.replace(".jsonl", "").replaceAll("-", " "), async () => {
          const { companion, editor, host, root, client } = await startCore();
          const values = {
            workspace: root,
            tmp: host.tmp,
            home: host.home,
            "token.gemini": client("gemini").token,
            "token.qwen": client("qwen").token,
          };
          await play(readRecording(join(folder, name)), {
            port: companion.port,
            values,
            perform: (action) => performAction(editor, action),
            write(path, text) {
              mkdirSync(dirname(path), { recursive: true });
              writeFileSync(path, text);
            },
          });
          expect([...editor.diffs.keys()]).toEqual([]);
        });
      }
    });
  }
}
