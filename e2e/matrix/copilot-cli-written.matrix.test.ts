import { expect } from "vitest";
import { callCommand } from "../harness/installation.ts";
import { scenario } from "../harness/scenario.ts";
import { setUpUnasking, unaskingCopilot } from "../harness/unasking.ts";

scenario("what Copilot CLI writes without asking is reverted: a change and a new file", async (sandbox) => {
  const path = await sandbox.write("a.txt", "alpha\r\nbeta\r\n");
  const prompt = await setUpUnasking(sandbox, unaskingCopilot);
  await prompt(
    "Change two files",
    { call: "edit", args: { path, old_str: "beta", new_str: "BETA" } },
    { call: "create", args: { path: sandbox.path("new.txt"), file_text: "new\n" } },
    { text: "Both are done." },
  );
  expect(String(await sandbox.read("a.txt"))).toBe("alpha\r\nBETA\r\n");
  const { turns } = JSON.parse(await callCommand(sandbox, "changes", "--json"));
  expect(turns).toMatchObject([
    { title: "Change two files", changes: [{ kind: "modified", added: 1, removed: 1 }, { kind: "added" }] },
  ]);
  await callCommand(sandbox, "changes", "revert", "--yes");
  expect(String(await sandbox.read("a.txt"))).toBe("alpha\r\nbeta\r\n");
  expect(await sandbox.read("new.txt")).toBeUndefined();
});
