import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { scenario } from "../harness/scenario.ts";
import {
  setUpUnasking,
  type Unasking,
  unaskingCodex,
  unaskingGemini,
  unaskingQwen,
} from "../harness/unasking.ts";

const folder = join(import.meta.dirname, "../../packages/testkit/hook-calls");

const patch = "*** Begin Patch\n*** Add File: new.txt\n+new\n*** End Patch";

/** How each model writes a new file. */
const writes: readonly (readonly [Unasking, string, (path: string) => Record<string, unknown>])[] = [
  [unaskingGemini, "write_file", (file_path) => ({ file_path, content: "new\n" })],
  [unaskingQwen, "write_file", (file_path) => ({ file_path, content: "new\n" })],
  [unaskingCodex, "exec_command", () => ({ cmd: `apply_patch <<'EOF'\n${patch}\nEOF` })],
];

for (const [agent, call, toArguments] of writes)
  scenario(`the calls of ${agent.name}'s hooks in a turn that writes a file`, async (sandbox) => {
    const { prompt } = await setUpUnasking(sandbox, agent);
    const calls = join(sandbox.home, "calls");
    // In the place of our command.
    const script = `#!/bin/sh\n{ cat; echo; } >> '${calls}'\n`;
    await writeFile(join(sandbox.home, "bin", "ide-companion"), script, { mode: 0o755 });
    await prompt("Write a file", { call, args: toArguments(sandbox.path("new.txt")) }, { text: "Done." });
    const text = await readFile(calls, "utf8");
    const recorded = text
      .replaceAll(sandbox.workspace, "{workspace}")
      .replaceAll(sandbox.home, "{home}")
      .replaceAll(sandbox.tmp, "{tmp}")
      .replaceAll(/\n+/g, "\n");
    expect(recorded.split("\n").length).toBeGreaterThan(3);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${agent.name}.jsonl`), recorded);
  });
