import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { startFakeCli } from "./harness/fake-cli.ts";
import { kakoune, startKakoune } from "./harness/kakoune.ts";
import { scenario } from "./harness/scenario.ts";

scenario(
  "in Kakoune a proposal follows its file on disk, but not under the fingers of who types, and conflicts are solved before it is accepted",
  async (sandbox) => {
    const path = await sandbox.write("poem.txt", "one\ntwo\nthree\nfour\nfive\n");
    const editor = await startKakoune(sandbox, [path]);
    const cli = await startFakeCli(sandbox);
    await cli.proposeReplace(path, "three", "3");
    await editor.proposal("poem.txt");
    await editor.command("execute-keys 5g");
    await sandbox.write("poem.txt", "zero\none\ntwo\nthree\nfour\nfive\n");
    await editor.terminal.waitFor("poem.txt has changed on disk: the proposal has these changes too");
    await editor.terminal.waitFor(/zero\s+one\s+two\s+~\s*3 {2}← three\s+four\s+five/);
    await editor.terminal.waitFor("poem.txt +1 −1, merged");
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
