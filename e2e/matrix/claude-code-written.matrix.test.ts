import { expect } from "vitest";
import { callCommand } from "../harness/installation.ts";
import { scenario } from "../harness/scenario.ts";
import { setUpUnasking, unaskingClaude } from "../harness/unasking.ts";

scenario("what Claude Code writes without asking is reverted: a change and a new file", async (sandbox) => {
  const path = await sandbox.write("a.txt", "alpha\r\nbeta\r\n");
  const prompt = await setUpUnasking(sandbox, unaskingClaude);
  await prompt(
    "Change two files",
    { call: "Read", args: { file_path: path } },
    { call: "Edit", args: { file_path: path, old_string: "beta", new_string: "BETA" } },
    { call: "Write", args: { file_path: sandbox.path("new.txt"), content: "new\n" } },
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
