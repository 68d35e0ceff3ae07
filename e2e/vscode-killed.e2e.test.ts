import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { startAgent } from "./harness/agent-cli.ts";
import { chain } from "./harness/chain.ts";
import { poll } from "./harness/deadline.ts";
import { discoveryFiles } from "./harness/discovery-files.ts";
import { gemini } from "./harness/gemini.ts";
import { lookAt, vscodeNeeds as needs, startVscode } from "./harness/vscode.ts";
import type { World } from "./harness/world.ts";

chain(
  "after a VS Code that was killed over an open diff, the next one sweeps, offers the edits, and serves a CLI started anew",
  async (world) => {
    const path = await world.write("note.txt", "first\nsecond\n");
    const killed = await startVscode(world);
    const cli = await startAgent(world, gemini);
    await cli.connected();
    await cli.proposeReplace(path, "second", "2nd");
    await killed.window.tab("note.txt (Gemini CLI)").click();
    await (await lookAt(killed.window.page)).replace("2nd", "zwei");
    await draftWritten(world);
    const stale = await discoveryFiles(world);
    await killed.server.kill();
    await killed.browser.close();

    const { window } = await startVscode(world, { port: killed.server.port });
    expect(stale.filter((file) => existsSync(file))).toEqual([]);
    await window.page.getByRole("button", { name: "Open my version" }).click();
    await window.page.locator(".view-line").filter({ hasText: "zwei" }).waitFor();
    // Gemini CLI itself takes no answer any more: its IDE has gone without a word.
    await cli.kill();
    const again = await startAgent(world, gemini);
    await again.connected();
    await again.proposeReplace(path, "second", "2nd");
    await window.tab("note.txt (Gemini CLI)").click();
    await (await lookAt(window.page)).accept();
    await again.finished();
    expect(String(await world.read("note.txt"))).toBe("first\n2nd\n");
  },
  { needs, within: 480_000 },
);

/** Edits go to disk a moment after the last key. */
async function draftWritten(world: World): Promise<void> {
  const storage = join(world.home, "vscode", "User", "workspaceStorage");
  const isDraft = (path: string) => /[\\/]drafts[\\/][^\\/]+\.json$/.test(path);
  await poll("the edits on disk", async () =>
    (await readdir(storage, { recursive: true })).some(isDraft) ? true : undefined,
  );
}
