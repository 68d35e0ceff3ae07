import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { kit, notOffered, runKit, within } from "../conformance/kit-run.ts";
import { companionScript } from "../harness/installed.ts";
import { missingFor, startWindows, type WindowsNode } from "./wine.ts";

const folder = "C:\\My Shop";
const served = `GEMINI_CLI_IDE_WORKSPACE_PATH=${folder}`;

for (const version of ["20", "22"]) {
  onWindows(
    `on Node ${version} the executable serves a folder, is found, and ends with its input`,
    version,
    async (_, node) => {
      const { stdout } = await promisify(execFile)(node.program, [
        join(import.meta.dirname, "session.mjs"),
        companionScript,
      ]);
      const result = JSON.parse(stdout);
      expect(result.version).toEqual({ code: 0, said: "0.1.0\n" });
      expect(result.page).toBe(303);
      expect(result.files.map((path: string) => path.replaceAll(/[\da-f-]{4,}(?=\.)/g, "N"))).toEqual([
        expect.stringMatching(/^C:\\users\\\w+\\Temp\\gemini\\ide\\gemini-ide-serverN\.json$/),
        expect.stringMatching(/^C:\\users\\\w+\\\.qwen\\ide\\N\.lock$/),
        expect.stringMatching(/^C:\\users\\\w+\\\.claude\\ide\\N\.lock$/),
        expect.stringMatching(/^C:\\users\\\w+\\\.copilot\\ide\\N\.lock$/),
      ]);
      expect(result.status.said).toContain(`Review page  ${folder}`);
      expect(result.cmd.said).toContain(`set "${served}"`);
      expect(result.lowerCase.said).toBe(result.cmd.said);
      expect(result.powershell.said).toContain(`$env:GEMINI_CLI_IDE_WORKSPACE_PATH = '${folder}'`);
      // Over HTTP, a WebSocket and named pipes. No CLI is installed there, which makes the doctor answer 1.
      expect(result.doctor.said).toMatch(/✓ Handshake +ide-companion 0\.1\.0\n +✓ Stream +open\n/);
      expect(result.claude.said).toMatch(/✓ Handshake +the companion takes the token of the file/);
      expect(result.copilot.said).toMatch(/✓ Handshake +\\\\\.\\pipe\\\S+ answers/);
      expect(result.codex.said).toMatch(/✓ Answer +the context of this folder/);
      expect([result.code, result.left]).toEqual([0, []]);
      // An editor that names its folder file:///c%3A/My%20Shop.
      expect(result.edited.env.said).toContain(`set "${served}"`);
      expect(result.edited.code).toBe(0);
    },
  );
}

/** What the kit cannot check where files have no modes and programs receive no signals. */
const ofUnix = ["file-mode", "folder-mode", "appears-whole", "linked-folder", "open-folder", "hang-up"];
const runs = [
  { title: "Gemini CLI and Qwen Code", notRun: [...ofUnix, ...notOffered] },
  { agent: "claude-code", title: "Claude Code", notRun: ["lock-mode"] },
  { agent: "copilot-cli", title: "Copilot CLI", notRun: ["lock-mode", "private-socket"] },
];

for (const { agent, title, notRun } of runs) {
  onWindows(`on Node 22 the library passes the kit of ${title}`, "22", async (sandbox, node) => {
    const command = [node.path, join(import.meta.dirname, "../conformance/core.mjs")];
    const hook = [node.path, join(kit, "example", "editor-command.js")];
    const subject = { command, hook, node: node.program, ...(agent !== undefined && { agent }) };
    expect((await runKit(sandbox, subject)).toSorted()).toEqual(notRun.toSorted());
  });
}

function onWindows(
  name: string,
  version: string,
  run: (sandbox: Sandbox, node: WindowsNode) => Promise<void>,
): void {
  test(name, { timeout: within }, async ({ skip }) => {
    const absent = missingFor(version);
    if (absent !== undefined) skip(absent);
    const sandbox = await createSandbox();
    try {
      await run(sandbox, await startWindows(sandbox, version));
    } finally {
      await sandbox.close();
    }
  });
}
