import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { openSsh } from "./ssh-session.ts";

test.skipIf(process.platform === "win32")(
  "a line of the other machine that never seems to end is refused, and ends nothing",
  async () => {
    const folder = privateFolder();
    const ssh = path.join(folder, "ssh");
    const long = `head -c 20000000 /dev/zero | tr '\\0' x`;
    writeFileSync(
      ssh,
      `#!/bin/sh\n${long}\necho\nprintf 'tmp=/tmp\\nhome=/there\\nuid=1\\npid=2\\nready\\n'\ncat >/dev/null\n`,
    );
    chmodSync(ssh, 0o700);
    vi.stubEnv("PATH", `${folder}:${process.env.PATH}`);
    const heard: string[] = [];
    const session = await openSsh({
      host: "box",
      options: [],
      ports: [],
      variables: [],
      onMessage: (line) => heard.push(line),
      signal: new AbortController().signal,
    });
    expect(session.far.home).toBe("/there");
    expect(heard).toEqual(["A line of box is larger than 16 MiB, the most that is taken."]);
    await session.close();
  },
);
