import { expect } from "vitest";
import { eventually } from "../packages/testkit/src/eventually.ts";
import { type Editor, pathWithCommand } from "./harness/editor.ts";
import { editorScenarios } from "./harness/editor-scenarios.ts";
import { startFakeCli } from "./harness/fake-cli.ts";
import { helix } from "./harness/helix.ts";
import { callCommand, companionOf } from "./harness/installation.ts";
import { helix as installed } from "./harness/installed.ts";
import { programInPath } from "./harness/path-to.ts";
import { scenario } from "./harness/scenario.ts";
import { startTerminal, typeLine } from "./harness/terminal.ts";

editorScenarios(helix);
editorScenarios(helix, { only: ["returns"] });

scenario(
  "a proposal that Helix's user has left is shown again by the menu of actions, and undone from the list of decisions",
  async (sandbox) => {
    const path = await sandbox.write("note.txt", "first\nsecond\n");
    const editor: Editor = await helix.start(sandbox, [path]);
    const { terminal } = editor;
    if (!terminal) throw new Error("Helix has no terminal");
    const cli = await startFakeCli(sandbox);
    await cli.proposeReplace(path, "second", "2nd");
    await editor.proposal("note.txt");
    await editor.open(await sandbox.write("other.txt", "other\n"));
    await terminal.type(" a");
    await terminal.waitFor("Show the change of Fake CLI to note.txt");
    await terminal.press("Down");
    await terminal.press("Enter");
    await (await editor.proposal("note.txt")).accept();
    await cli.finished();
    expect(String(await sandbox.read("note.txt"))).toBe("first\n2nd\n");
    await typeLine(terminal, ":reload-all");
    await typeLine(terminal, ":lsp-workspace-command ide-companion.history");
    await terminal.waitFor("- note.txt: accepted");
    await terminal.type(" a");
    await terminal.waitFor("note.txt: undoes");
    await terminal.press("Down");
    await terminal.press("Enter");
    await terminal.waitFor("note.txt has the file without the change now: save it");
    await typeLine(terminal, ":write-all!");
    await eventually(async () => expect(String(await sandbox.read("note.txt"))).toBe("first\nsecond\n"));
  },
  { needs: helix.needs },
);

scenario(
  "a proposal that comes in the middle of a word takes nothing of it in Helix, and opens when the user rests",
  async (sandbox) => {
    const path = await sandbox.write("note.txt", "first\nsecond\n");
    const editor: Editor = await helix.start(sandbox, [path]);
    const { terminal } = editor;
    if (!terminal) throw new Error("Helix has no terminal");
    const cli = await startFakeCli(sandbox);
    await terminal.type("i");
    await terminal.waitFor(" INS ");
    await terminal.type("in the middle of a wo");
    await terminal.waitFor("of a wofirst");
    await cli.proposeReplace(path, "second", "2nd");
    await terminal.waitFor("space a shows it: Fake CLI proposes note.txt");
    await terminal.type("rd and on ");
    await terminal.waitFor("in the middle of a word and on first");
    await (await editor.proposal("note.txt")).accept();
    expect(await cli.finished()).toMatchObject({ content: "first\n2nd\n" });
  },
  { needs: helix.needs },
);

scenario(
  "after `ide-companion install helix` Helix starts the companion with a file of any language, without other servers",
  async (sandbox) => {
    await programInPath(sandbox, "hx", [installed.program]);
    const PATH = await pathWithCommand(sandbox);
    await callCommand(sandbox, "install", "--yes", "helix");
    for (const name of ["src/shop.js", "Dockerfile", "LICENSE"]) {
      const terminal = await startTerminal(sandbox, {
        command: [installed.program, await sandbox.write(name, "first\n")],
        env: { PATH, HELIX_RUNTIME: installed.runtime },
      });
      await companionOf(sandbox, "Helix", terminal.screen);
      await typeLine(terminal, ":q");
      await terminal.exited();
    }
  },
  { needs: helix.needs },
);
