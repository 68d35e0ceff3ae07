import { expect, test } from "vitest";
import { toContent } from "./lock-file.ts";

const lock = { headers: {}, pid: 1, ideName: "Vim", timestamp: 1, workspaceFolders: ["/shop"] };

test.each([
  ["\\\\.\\pipe\\ide-companion-1-x", "pipe"],
  ["/tmp/ide-companion-1-x/copilot.sock", "unix"],
])("a lock that names %j says %j", (socketPath, scheme) => {
  expect(toContent({ ...lock, socketPath })).toEqual({ ...lock, socketPath, scheme });
});
