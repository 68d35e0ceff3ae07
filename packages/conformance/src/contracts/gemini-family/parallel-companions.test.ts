import { expect, onTestFinished, test } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { createLimits } from "../../run/subject.ts";
import { createSandbox } from "../../target/folders.ts";
import { isListening } from "../../target/process.ts";
import { createParallelCompanions } from "./parallel-companions.ts";
import { readDiscoveryFiles } from "./target/discovery-file.ts";
import { findCompanions } from "./target/target.ts";

test("no later companion gets the port, and the token, of a planted discovery file", async () => {
  const sandbox = await createSandbox(privateFolder(onTestFinished));
  const files = () => readDiscoveryFiles(sandbox.systemFolders);
  const companions = createParallelCompanions({
    limits: createLimits(),
    async start({ prepare }) {
      await prepare?.(sandbox);
      const [target] = await findCompanions(sandbox.systemFolders);
      if (!target) throw new Error("no planted file leads to a port");
      return { target, sandbox, pid: process.pid, env: {}, files, end: async () => true };
    },
  });
  const { port } = (await companions.first()).companion.target;
  expect(await isListening(port)).toBe(true);
  await companions.close();
  expect(await isListening(port)).toBe(false);
});
