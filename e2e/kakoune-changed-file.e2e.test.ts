import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { poll } from "../packages/testkit/src/waiting.ts";
import { startFakeCli } from "./harness/fake-cli.ts";
import { kakoune } from "./harness/kakoune.ts";
import { scenario } from "./harness/scenario.ts";

scenario(
  "in Kakoune a proposal follows its file on disk, but not under the fingers of who types, and conflicts are solved before it is accepted",
  async (sandbox) => {
    const path = await sandbox.write("poem.txt", "one\ntwo\nthree\nfour\nfive\n");
    const editor = await kakoune.start(sandbox, [path]);
    const cli = await startFakeCli(sandbox);
    await cli.proposeReplace(path, "three", "3");
    await editor.proposal("poem.txt");
    await editor.command("execute-keys 5g");
    await sandbox.write("poem.txt", "zero\none\ntwo\nthree\nfour\nfive\n");
    await editor.terminal.waitFor("poem.txt has changed on disk: the proposal has these changes too");
    await editor.terminal.waitFor(/zero\s+one\s+two\s+~\s*3 {2}← three\s+four\s+five/);
    await editor.terminal.waitFor("merged: Fake CLI proposes poem.txt +1 −1");
    expect(await editor.value("%val{cursor_line}")).toBe("6");

    await editor.terminal.type("A");
    await editor.terminal.waitFor("insert");
    await sandbox.write("poem.txt", "zero\none\ntwo\n3!\nfour\nfive\n");
    await editor.terminal.type(", six");
    await delay(1500);
    expect(await editor.terminal.screen()).not.toContain("<<<<<<<");
    await editor.terminal.press("Escape");
    await editor.terminal.waitFor(/<<<<<<< on disk\s[\s\S]*3!/);
    await editor.terminal.waitFor("in conflict");
    await editor.command("write");
    await editor.terminal.waitFor("The change shows both versions");
    await editor.command("execute-keys <percent>s[<lt>|=<gt>]{7}[^\\n]*\\n|three\\n|3\\n<ret>d");
    await editor.terminal.waitFor(/two\s+3!\s+four\s+~\s*five, six/);
    await editor.command("write");
    await cli.finished();
    expect(String(await sandbox.read("poem.txt"))).toBe("zero\none\ntwo\n3!\nfour\nfive, six\n");
    await editor.nothingWaits();
  },
  { needs: kakoune.needs },
);

for (const autoreload of ["ask", "yes"]) {
  scenario(
    `unsaved edits in Kakoune are neither dropped nor written over what an agent has written, and can be merged, with autoreload ${autoreload}`,
    async (sandbox) => {
      const name = "poem, of five lines.txt";
      const path = await sandbox.write(name, "one\ntwo\nthree\nfour\nfive\n");
      const editor = await kakoune.start(sandbox, [path]);
      const cli = await startFakeCli(sandbox);
      await editor.command(`set-option global autoreload ${autoreload}`);
      await editor.typeUnsaved("!");
      await cli.proposeReplace(path, "four", "4");
      await (await editor.proposal(name)).accept();
      await editor.terminal.waitFor("is written, without your unsaved edits");
      await cli.finished();
      await editor.open(path);
      await editor.terminal.press("Enter");
      expect(await editor.terminal.screen()).not.toContain("reload");
      await editor.shows("one!");
      await editor.command("write");
      await editor.terminal.waitFor("an agent has written this file: :ide-companion-merge");
      expect(String(await sandbox.read(name))).toBe("one\ntwo\nthree\n4\nfive\n");
      await editor.command("ide-companion-merge");
      await editor.terminal.waitFor("has both now: :w keeps them");
      await editor.command("write");
      const isMerged = async () => String(await sandbox.read(name)) === "one!\ntwo\nthree\n4\nfive\n";
      await poll("the merged text", isMerged, { describe: editor.terminal.screen });
      expect(await editor.value("%opt{autoreload}")).toBe(autoreload);
    },
    { needs: kakoune.needs },
  );
}

scenario(
  "unsaved edits in Kakoune of the lines that an agent has written are shown next to them",
  async (sandbox) => {
    const path = await sandbox.write("poem.txt", "one\ntwo\n");
    const editor = await kakoune.start(sandbox, [path]);
    const cli = await startFakeCli(sandbox);
    await editor.typeUnsaved("!");
    await cli.proposeReplace(path, "one", "1");
    await (await editor.proposal("poem.txt")).accept();
    await cli.finished();
    await editor.terminal.waitFor("is written, without your unsaved edits");
    await editor.open(path);
    await editor.command("ide-companion-merge");
    await editor.terminal.waitFor("choose between the versions");
    await editor.terminal.waitFor(/<<<<<<< on disk\s+1\s[\s\S]*one!\s+>>>>>>> your edits/);
  },
  { needs: kakoune.needs },
);
