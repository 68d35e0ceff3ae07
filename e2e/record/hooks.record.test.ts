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

const folder = join(import.meta.dirname, "../../packages/conformance/src/contracts/hooks/calls");

const patch = "*** Begin Patch\n*** Add File: new.txt\n+new\n*** End Patch";
const command = "echo made >made.txt";

/** How each model writes a new file, and runs a command. */
const writes: readonly (readonly [
  Unasking,
  tools: readonly [write: string, shell: string],
  write: (path: string) => Record<string, unknown>,
  shell: Record<string, unknown>,
])[] = [
  ...[unaskingGemini, unaskingQwen].map((agent) => {
    const shell = { command, description: "Makes a file", is_background: false };
    const write = (file_path: string) => ({ file_path, content: "new\n" });
    return [agent, ["write_file", "run_shell_command"], write, shell] as const;
  }),
  [
    unaskingCodex,
    ["exec_command", "exec_command"],
    () => ({ cmd: `apply_patch <<'EOF'\n${patch}\nEOF` }),
    { cmd: command },
  ],
];

for (const [agent, [write, shell], toArguments, args] of writes)
  scenario(`the calls of ${agent.name}'s hooks in a turn that writes a file`, async (sandbox) => {
    const { prompt } = await setUpUnasking(sandbox, agent);
    const calls = join(sandbox.home, "calls");
    // In the place of our command.
    const script = `#!/bin/sh\n{ cat; echo; } >> '${calls}'\n`;
    await writeFile(join(sandbox.home, "bin", "ide-companion"), script, { mode: 0o755 });
    const writing = { call: write, args: toArguments(sandbox.path("new.txt")) };
    await prompt("Write a file", writing, { call: shell, args }, { text: "Done." });
    const text = await readFile(calls, "utf8");
    const recorded = text
      .replaceAll(sandbox.workspace, "{workspace}")
      .replaceAll(sandbox.home, "{home}")
      .replaceAll(sandbox.tmp, "{tmp}");
    const lines = recorded.match(/.+/g) ?? [];
    expect(lines.length).toBeGreaterThan(4);
    await mkdir(folder, { recursive: true });
    const code = `export const ${agent.name}: readonly object[] = [\n${lines.join(",\n")},\n];\n`;
    await writeFile(join(folder, `${agent.name}.gen.ts`), code);
  });
