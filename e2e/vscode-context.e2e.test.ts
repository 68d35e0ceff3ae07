import { rm } from "node:fs/promises";
import { expect } from "vitest";
import { startAgent } from "./harness/agent-cli.ts";
import { gemini } from "./harness/gemini.ts";
import { modelReceives } from "./harness/model-receives.ts";
import { dot } from "./harness/picture.ts";
import { scenario } from "./harness/scenario.ts";
import { vscodeNeeds as needs, startVscode } from "./harness/vscode.ts";
import { select } from "./harness/window-editor.ts";

const notebook = JSON.stringify({
  cells: [{ cell_type: "markdown", source: ["# Study\n"], metadata: {} }],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
});

const settings = { "ideCompanion.exclude": ["secrets/"], "ideCompanion.excludeGitIgnored": true };

scenario(
  "agents of VS Code receive notebooks and pictures, and nothing that is excluded, paused or gone",
  async (sandbox) => {
    const note = await sandbox.write("note.txt", "a note\nanother note\n");
    const study = await sandbox.write("study.ipynb", notebook);
    const picture = await sandbox.write("dot.png", dot);
    const secret = await sandbox.write("secrets/key.txt", "secret\n");
    const ignored = await sandbox.write("build/out.txt", "built\n");
    await sandbox.write(".gitignore", "build/\n");
    const { window } = await startVscode(sandbox, { settings });
    const cli = await startAgent(sandbox, gemini);
    for (const path of [study, picture, secret, ignored, note]) await window.open(path);
    await cli.connected();

    const first = await modelReceives(cli, /activeFile"[^}]*note\.txt/);
    expect(first).toContain(study);
    expect(first).toContain(picture);
    expect(first).not.toContain(secret);
    expect(first).not.toContain(ignored);

    // Of several selections, the first one made is the primary.
    await select(window, "note");
    await window.page.keyboard.press("Control+d");
    await window.page.locator(".statusbar-item").filter({ hasText: "2 selections" }).waitFor();
    expect(await modelReceives(cli, /"selectedText":\s*"note"/)).toMatch(/"line":\s*1\b/);

    await window.status.click();
    await window.choose("Pause sharing");
    await window.status.filter({ hasText: "Sharing paused" }).waitFor();
    expect(await modelReceives(cli, /filesClosed"[^\]]*note\.txt/)).toContain(study);
    await window.command("IDE Companion: Resume Sharing");
    await modelReceives(cli, /filesOpened"[^\]]*note\.txt/);

    await window.rename("note.txt", "renamed.txt");
    await modelReceives(cli, /filesOpened"[^\]]*renamed\.txt/, /filesClosed"[^\]]*note\.txt/);
    // By another program: VS Code keeps its tab.
    await rm(picture);
    await modelReceives(cli, /filesClosed"[^\]]*dot\.png/);
    await window.tab("study.ipynb").click();
    await modelReceives(cli, /activeFileChanged"[^}]*study\.ipynb/);
    await window.tab("study.ipynb").getByRole("button", { name: "Close" }).click();
    await modelReceives(cli, /filesClosed"[^\]]*study\.ipynb/);
  },
  { needs },
);
