import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { createLimits } from "../../run/subject.ts";
import { createSandbox } from "../../target/folders.ts";
import { isListening } from "../../target/machine.ts";
import type { Started } from "../../target/process.ts";
import { geminiFamily } from "./contract.ts";
import { createParallelCompanions, plantFiles } from "./parallel-companions.ts";
import { folderOf } from "./target/discovery-file.ts";
import { findCompanions, type Target } from "./target/target.ts";

/** A companion in this process. */
const inThisProcess = (found: Pick<Started<Target>, "target" | "sandbox">): Started<Target> => ({
  ...found,
  env: {},
  pid: process.pid,
  hasEnded: () => false,
  lastWords: async () => undefined,
  end: async () => true,
});

test("no later companion gets the port, and the token, of a planted discovery file", async () => {
  const sandbox = await createSandbox(privateFolder(onTestFinished));
  const companions = createParallelCompanions({
    limits: createLimits(),
    async start({ prepare }) {
      await prepare?.(sandbox);
      const [target] = await findCompanions(sandbox.systemFolders);
      if (!target) throw new Error("no planted file leads to a port");
      return inThisProcess({ target, sandbox });
    },
  });
  const { port } = (await companions.first()).companion.target;
  expect(await isListening(port)).toBe(true);
  await companions.close();
  expect(await isListening(port)).toBe(false);
});

test("a file for older CLIs, whose name has no port, does not come before its server", async () => {
  const sandbox = await createSandbox(privateFolder(onTestFinished));
  const { systemFolders, workspace } = sandbox;
  const server = createServer();
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const older = path.join(folderOf("gemini-older-file", systemFolders), "gemini-ide-server-1.json");
  const findOwn = async () => {
    const found = (await findCompanions(systemFolders)).find((one) => one.port === port);
    if (!found) throw new Error("no planted file leads to the port");
    return found;
  };
  await plantFiles(sandbox, 1, port);
  const [result] = await geminiFamily.runChecks(new Set(["server-first"]), {
    target: await findOwn(),
    limits: createLimits(),
    scratch: workspace,
    async start({ prepare }) {
      await prepare?.(sandbox);
      await plantFiles(sandbox, 1, port);
      await writeFile(older, JSON.stringify({ port }));
      const target = await findOwn();
      return inThisProcess({ target, sandbox });
    },
  });
  expect([result?.status, result?.message]).toEqual(["passed", undefined]);
});
