import { expect } from "vitest";
import type { Sandbox } from "../packages/testkit/src/sandbox.ts";
import { startAgent } from "./harness/agent-cli.ts";
import { discoveryFiles } from "./harness/discovery-files.ts";
import { gemini } from "./harness/gemini.ts";
import { qwen } from "./harness/qwen.ts";
import { scenario } from "./harness/scenario.ts";
import { vscodeNeeds as needs, startVscode } from "./harness/vscode.ts";
import { lookAt } from "./harness/window-editor.ts";

scenario(
  "a reloaded window rejects what was open, offers the edits, and its CLIs are back by /ide enable",
  async (sandbox) => {
    const path = await sandbox.write("note.txt", "first\nsecond\n");
    const { window } = await startVscode(sandbox);
    await window.open(path);
    const [cli, other] = await Promise.all([startAgent(sandbox, gemini), startAgent(sandbox, qwen)]);
    await cli.connected();
    await other.connected();
    const port = await announcedPort(sandbox);
    await cli.proposeReplace(path, "second", "2nd");
    const tab = window.tab("note.txt (Gemini CLI)");
    await tab.click();
    await (await lookAt(window)).replace("2nd", "zwei");
    await other.proposeWrite(sandbox.path("other.txt"), "of the other\n");
    await window.tab("other.txt").waitFor();
    await window.reload();
    await tab.waitFor({ state: "detached" });
    await window.tab("other.txt").waitFor({ state: "detached" });
    await window.tab("note.txt").waitFor();
    await window.page
      .locator(".notification-toast")
      .filter({ hasText: "The window ended before you decided about" })
      .filter({ hasText: "note.txt (Gemini CLI), other.txt (Qwen Code)" })
      .waitFor();
    const offer = window.page.getByRole("button", { name: "Show my edits" });
    await offer.waitFor();
    // Nobody has answered it: the next window asks again.
    await window.reload();
    await offer.click();
    const shown = window.page.locator(".modified-in-monaco-diff-editor .view-line");
    await shown.filter({ hasText: "zwei" }).waitFor();
    await cli.terminal.waitFor(gemini.rejected);
    await other.terminal.waitFor(qwen.rejected);
    expect(await sandbox.read("other.txt")).toBeUndefined();
    expect(String(await sandbox.read("note.txt"))).toBe("first\nsecond\n");
    await cli.disconnected();
    expect((await discoveryFiles(sandbox)).filter((file) => file.includes(port))).toEqual([]);
    for (const each of [cli, other]) await each.reconnected();
    await cli.proposeReplace(path, "second", "2nd");
    await tab.click();
    await (await lookAt(window)).accept();
    await cli.finished();
    expect(String(await sandbox.read("note.txt"))).toBe("first\n2nd\n");
  },
  { needs, within: 480_000 },
);

/** The port that Gemini CLI receives. */
async function announcedPort(sandbox: Sandbox): Promise<string> {
  const names = (await discoveryFiles(sandbox)).join("\n");
  const port = /gemini-ide-server-\d+-(\d+)/.exec(names)?.[1];
  if (port === undefined) throw new Error(`no companion is announced: ${names}`);
  return port;
}
