import { expect } from "vitest";
import { startAgent } from "./harness/agent-cli.ts";
import { awaitedLater } from "./harness/awaited-later.ts";
import { editorToolNames, withEditorTools } from "./harness/editor-tools.ts";
import { gemini } from "./harness/gemini.ts";
import { dot } from "./harness/picture.ts";
import { scenario } from "./harness/scenario.ts";
import { vscodeNeeds as needs, startVscode, typeUntil } from "./harness/vscode.ts";

scenario(
  "by its tools an agent shows a place in VS Code, next to what is typed in, and reads what VS Code has found",
  async (sandbox) => {
    const path = await sandbox.write("faulty.json", '{\n  "first": 1,\n  "second": \n}\n');
    const note = await sandbox.write("note.txt", "a note\n");
    const other = await sandbox.write("other.txt", "another note\n");
    const picture = await sandbox.write("dot.png", dot);
    const { window } = await startVscode(sandbox);
    const { page } = window;
    const cli = await startAgent(sandbox, withEditorTools(gemini, sandbox));
    const tool = await editorToolNames(cli);
    await window.open(note);
    await page.locator(".monaco-editor .view-line").first().click();

    cli.model.plan(
      { call: tool("openFile"), args: { filePath: path, line: 3, character: 5 } },
      { text: "It is shown." },
    );
    const shown = awaitedLater(typeUntil(page, page.locator(".squiggly-error").waitFor()));
    await cli.say("Show the fault");
    await cli.terminal.waitFor("It is shown.");
    await page
      .locator(".view-line")
      .filter({ hasText: `a note${await shown}` })
      .waitFor();

    cli.model.plan({ call: tool("getDiagnostics"), args: { filePath: path } }, { text: "It is read." });
    await cli.say("Read the fault");
    await cli.terminal.waitFor("It is read.");
    const received = cli.model.requests.at(-1)?.text ?? "";
    expect(received).toMatch(/"line":\s*[34],/);
    expect(received).toContain("Value expected");

    // What is typed in there, VS Code does not tell.
    await window.open(picture);
    cli.model.plan({ call: tool("openFile"), args: { filePath: other } }, { text: "That is shown too." });
    await cli.say("Show the other");
    await cli.terminal.waitFor("That is shown too.");
    for (const name of ["other.txt", "dot.png"])
      await page.locator(".tab.active").filter({ hasText: name }).waitFor();
  },
  { needs },
);
