import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { eventually } from "../packages/testkit/src/eventually.ts";
import { gemini } from "./harness/gemini.ts";
import { callCommand } from "./harness/installation.ts";
import { codex as codexProgram } from "./harness/installed.ts";
import { neovim, startNeovim } from "./harness/neovim.ts";
import { qwen } from "./harness/qwen.ts";
import { scenario } from "./harness/scenario.ts";
import { setUpUnasking, unaskingCodex, unaskingGemini, unaskingQwen } from "./harness/unasking.ts";

const poem = (changed: Readonly<Record<number, string>> = {}) =>
  `\uFEFF${Array.from({ length: 30 }, (_, index) => changed[index + 1] ?? `line ${index + 1}`).join("\r\n")}`;

for (const [kind, agent] of [
  [gemini, unaskingGemini],
  [qwen, unaskingQwen],
] as const)
  scenario(
    `what ${kind.displayName} writes in yolo mode is reverted byte by byte, without a companion, and the user's lines stay`,
    async (sandbox) => {
      const path = await sandbox.write("poem.txt", poem());
      const prompt = await setUpUnasking(sandbox, agent);
      const write = (name: string) => ({
        call: "write_file",
        args: { file_path: sandbox.path(name), content: "new\n" },
      });
      const answer = await prompt(
        "Change two files",
        { call: "read_file", args: { file_path: path } },
        kind.replaceCall(path, "line 3\n", "third\n"),
        write("new.txt"),
        { text: "Both are done." },
      );
      expect(answer).toContain("Both are done.");
      expect(String(await sandbox.read("poem.txt"))).toBe(poem({ 3: "third" }));
      await sandbox.write("poem.txt", poem({ 3: "third", 28: "mine" }));

      const { turns } = JSON.parse(await callCommand(sandbox, "changes", "--json"));
      expect(turns).toMatchObject([
        {
          agent: kind.name,
          title: "Change two files",
          changes: [
            { path, kind: "modified", added: 1, removed: 1 },
            { path: sandbox.path("new.txt"), kind: "added", added: 1, removed: 0 },
          ],
        },
      ]);
      await callCommand(sandbox, "changes", "revert", "--yes");
      expect(String(await sandbox.read("poem.txt"))).toBe(poem({ 28: "mine" }));
      expect(await sandbox.read("new.txt")).toBeUndefined();

      // A CLI that cannot call its hook must not stop.
      await rm(join(sandbox.home, "bin", "ide-companion"));
      await prompt("Write another one", write("again.txt"), { text: "It is done as well." });
      expect(String(await sandbox.read("again.txt"))).toBe("new\n");
    },
    { matrix: kind === qwen },
  );

scenario(
  "a patch in Codex CLI's shell, after which it calls no hook, is reverted: a change, a new file and a moved one",
  async (sandbox) => {
    await sandbox.write("a.txt", "alpha\nbeta\n");
    await sandbox.write("c.txt", "c1\n");
    const prompt = await setUpUnasking(sandbox, unaskingCodex);
    const patch = ["*** Begin Patch", "*** Update File: a.txt", "@@", "-beta", "+BETA"]
      .concat(["*** Add File: new.txt", "+n1", "*** Update File: c.txt", "*** Move to: moved.txt"])
      .concat(["@@", "-c1", "+C1", "*** End Patch"]);
    const cmd = ["apply_patch <<'EOF'", ...patch, "EOF"].join("\n");
    await prompt("Change it", { call: "exec_command", args: { cmd } }, { text: "Done." });
    expect(String(await sandbox.read("moved.txt"))).toBe("C1\n");
    const { turns } = JSON.parse(await callCommand(sandbox, "changes", "--json"));
    expect(turns).toMatchObject([{ agent: "codex", title: "Change it" }]);
    expect(turns[0].changes).toHaveLength(4);
    await callCommand(sandbox, "changes", "revert", "--yes");
    expect(String(await sandbox.read("a.txt"))).toBe("alpha\nbeta\n");
    expect(String(await sandbox.read("c.txt"))).toBe("c1\n");
    expect(await sandbox.read("new.txt")).toBeUndefined();
    expect(await sandbox.read("moved.txt")).toBeUndefined();
  },
  { needs: { "Codex CLI": codexProgram } },
);

scenario(
  "what Gemini CLI writes in yolo mode is said in Neovim, which reloads the file and reverts the change",
  async (sandbox) => {
    const path = await sandbox.write("poem.txt", "one\ntwo\nthree\n");
    const editor = await startNeovim(sandbox, [path]);
    const prompt = await setUpUnasking(sandbox, unaskingGemini);
    await prompt(
      "Count on",
      { call: "read_file", args: { file_path: path } },
      gemini.replaceCall(path, "two\n", "2nd\n"),
      { text: "It is done." },
    );
    await editor.says("Gemini CLI changed poem.txt: +1 −1");
    await editor.terminal.waitFor(/^2nd/m);
    await editor.terminal.type(":IdeCompanion written");
    await editor.terminal.press("Enter");
    await editor.terminal.waitFor("a keeps it  r reverts it");
    await editor.terminal.type("r");
    await editor.terminal.waitFor("u undoes that");
    expect(String(await sandbox.read("poem.txt"))).toBe("one\n2nd\nthree\n");
    await editor.terminal.type(":w");
    await editor.terminal.press("Enter");
    await eventually(async () => expect(String(await sandbox.read("poem.txt"))).toBe("one\ntwo\nthree\n"));
    expect(JSON.parse(await callCommand(sandbox, "changes", "--json"))).toEqual({ turns: [] });
  },
  { needs: neovim.needs },
);
