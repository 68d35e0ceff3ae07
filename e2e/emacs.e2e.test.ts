import { copyFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { Sandbox } from "../packages/testkit/src/sandbox.ts";
import { insist, poll } from "../packages/testkit/src/waiting.ts";
import { startConnected } from "./harness/agent-cli.ts";
import { discoveryFiles } from "./harness/discovery-files.ts";
import { dyingCompanion } from "./harness/dying-companion.ts";
import { editorScenarios } from "./harness/editor-scenarios.ts";
import { eglot } from "./harness/eglot.ts";
import { emacs } from "./harness/emacs.ts";
import { startFakeCli } from "./harness/fake-cli.ts";
import { gemini } from "./harness/gemini.ts";
import { packageLint, plugins, emacs as program } from "./harness/installed.ts";
import { emacsTerminals } from "./harness/own-terminals.ts";
import { ownTestsTime, runAlone } from "./harness/own-tests.ts";
import { scenario } from "./harness/scenario.ts";
import { typeLine } from "./harness/terminal.ts";
import { twoInstances } from "./harness/two-instances.ts";
import { writeComment } from "./harness/written-comments.ts";

const { needs } = emacs;
const folder = join(plugins, "emacs");

editorScenarios(emacs);
editorScenarios(eglot, { only: ["fakeReview"] });

twoInstances(emacsTerminals, { matrix: true });

dyingCompanion(
  emacs,
  async (sandbox, files) => {
    const editor = await emacs.start(sandbox, files);
    const labels = { proposed: "Qwen Code", kept: "Your edits" };
    return {
      ...editor,
      port: async () => Number(await editor.lisp("(or (plist-get ide-companion--status :port) 0)")),
      async textOf(which, name) {
        const buffer = `"*${labels[which]}: ${name}*"`;
        const text = `(with-current-buffer ${buffer} (string-trim-right (buffer-string)))`;
        return JSON.parse(`"${await editor.lisp(`(if (get-buffer ${buffer}) ${text} "")`)}"`);
      },
      quit: async () => void (await editor.lisp("(run-with-timer 0 nil #'kill-emacs)")),
    };
  },
  { matrix: true },
);

scenario(
  "a proposal waits for the minibuffer, shows without the focus, and is rejected by killing its buffer",
  async (sandbox) => {
    const path = await sandbox.write("open.txt", "open\n");
    const editor = await emacs.start(sandbox, [path]);
    const cli = await startFakeCli(sandbox);
    await editor.terminal.type("\x18\x06"); // C-x C-f
    await editor.terminal.waitFor("Find file:");
    await cli.proposeWrite(sandbox.path("new.txt"), "new\n");
    await editor.terminal.waitFor("Fake CLI (1)");
    expect(await editor.terminal.screen()).toContain("Find file:");
    expect(await editor.terminal.screen()).not.toContain("accepts");
    // C-g. One that comes while Emacs listens to the companion may end nothing.
    await insist(
      "end of the minibuffer",
      () => editor.terminal.type("\x07"),
      async () => (await editor.lisp("(null (active-minibuffer-window))").catch(() => "")) === "t",
      { describe: editor.terminal.screen },
    );
    await editor.terminal.waitFor("Fake CLI proposes new.txt");
    await editor.terminal.type("typed ");
    await editor.shows("typed open");
    await editor.proposal("new.txt");
    await editor.terminal.type("\x18k"); // C-x k
    await editor.terminal.press("Enter");
    expect(await cli.finished()).toEqual({ kind: "rejected" });
    await editor.nothingWaits();
  },
  { needs },
);

scenario(
  "comments that are written in Emacs by keys reach an agent with the rejection, and others wait",
  async (sandbox) => {
    const path = await sandbox.write("note.txt", "first\nsecond\nthird\n");
    const { terminal, ...editor } = await emacs.start(sandbox, [path]);
    const cli = await startFakeCli(sandbox);
    const write = (keys: string, question: string, comment: string) =>
      writeComment(terminal, `${keys}\x03;`, question, comment); // C-c ;
    const outcome = cli.propose(path, "first\n2nd\nthird\n");
    await editor.proposal("note.txt");
    await write("\x1b<\x0e", "Comment on line 2:", "why a number?"); // M-<, C-n
    await terminal.waitFor("with your comment");
    await terminal.press("C-Space");
    await write("\x0e\x05", "Comment on lines 2-3:", "both, please"); // C-n, C-e
    await terminal.waitFor("with 2 comments");
    const screen = await terminal.screen();
    expect(screen).toMatch(/second *\n.2nd *\n.why a number\? *\n.third *\n.both, please/);
    await terminal.type("\x03\x17"); // C-c C-w
    const place = { side: "proposed", startLine: 2 } as const;
    expect(await outcome).toMatchObject({
      kind: "rejected",
      comments: [
        { ...place, endLine: 2, quote: "2nd", text: "why a number?" },
        { ...place, endLine: 3, quote: "2nd\nthird", text: "both, please" },
      ],
    });
    await editor.nothingWaits();

    const plain = cli.propose(path, "first\nsecond\n3rd\n");
    await editor.proposal("note.txt");
    await write("\x1b<", "Comment on line 1:", "not sent"); // M-<
    await terminal.type("\x03\x0b"); // C-c C-k
    expect(await plain).toEqual({ kind: "rejected" });
    await terminal.waitFor("M-x ide-companion-comments");
    await editor.nothingWaits();
    await typeLine(terminal, "\x1bxide-companion-comments");
    await terminal.waitFor("RET shows them");
    await editor.shows("note.txt");
    await terminal.type("s");
    await terminal.waitFor("Your comments on note.txt are");
    await editor.until("copied comments", '(string-search "not sent" (car kill-ring))');
  },
  { needs },
);

scenario(
  "Emacs lists the proposals that wait, and accepts all of them after one question",
  async (sandbox) => {
    const path = await sandbox.write("first.txt", "one\n");
    const { terminal, ...editor } = await emacs.start(sandbox, [path]);
    const cli = await startFakeCli(sandbox);
    const outcomes = [];
    for (const [file, text] of [
      [path, "1\none\n"],
      [sandbox.path("second.txt"), "two\n"],
      [sandbox.path("third.txt"), "three\n"],
    ] as const) {
      outcomes.push(cli.propose(file, text));
      // Those that are sent at once may come in any order.
      await editor.until("the proposal", `(= (length ide-companion--proposals) ${outcomes.length})`);
    }
    await (await editor.proposal("third.txt")).replace("three", "drei");
    await typeLine(terminal, "\x1bxide-companion-proposals");
    await terminal.waitFor(
      /first\.txt +Fake CLI .* \+1 -0, 1 of 3 *\n.*second\.txt +Fake CLI .* \+1 -0, 2 of 3 *\n.*third\.txt.*3 of 3, edited/,
    );
    await terminal.type("A");
    await terminal.waitFor(/Accept 3 proposals\? third\.txt, edited by you; first\.txt; second\.txt/);
    await terminal.type("y");
    expect((await Promise.all(outcomes)).map(({ kind }) => kind)).toEqual([
      "accepted",
      "accepted",
      "accepted",
    ]);
    expect(String(await sandbox.read("third.txt"))).toBe("drei\n");
    await editor.until("no proposal", "(null ide-companion--proposals)");
  },
  { needs },
);

scenario(
  "Emacs asks before it exits while a proposal waits, and leaves no file behind",
  async (sandbox) => {
    const path = await sandbox.write("open.txt", "open\n");
    const editor = await emacs.start(sandbox, [path]);
    const cli = await startConnected(sandbox, gemini);
    await cli.proposeWrite(sandbox.path("new.txt"), "new\n");
    await editor.terminal.waitFor("Gemini CLI proposes new.txt");
    const announced = await discoveryFiles(sandbox);
    expect(announced.length).toBeGreaterThan(0);
    await editor.terminal.type("\x18\x03"); // C-x C-c
    await editor.terminal.waitFor("waits for your decision; exit anyway?");
    await typeLine(editor.terminal, "yes");
    await editor.terminal.exited();
    await poll("end of the discovery files", async () => (await discoveryFiles(sandbox)).length === 0);
    await cli.terminal.waitFor(gemini.rejected);
  },
  { needs },
);

scenario(
  "the Emacs package's own tests pass, in Emacs",
  async (sandbox) => {
    const { stderr } = await batch(sandbox, ["-l", join(folder, "test", "run.el")]);
    // ERT says of each why it failed, and then that it did.
    expect(stderr.match(/^Test .+ condition:$[\s\S]*?^ +FAILED .*$/gm) ?? []).toEqual([]);
    expect(stderr).toMatch(/Ran [1-9]\d* tests, [1-9]\d* results as expected, 0 unexpected/);
  },
  { needs, within: ownTestsTime },
);

scenario(
  "neither the compiler nor checkdoc nor package-lint finds fault with the Emacs package",
  async (sandbox) => {
    const names = (await readdir(folder)).filter((name) => name.endsWith(".el"));
    expect(names).toContain("ide-companion.el");
    const copies = names.map((name) => join(sandbox.tmp, name));
    await Promise.all(names.map((name) => copyFile(join(folder, name), join(sandbox.tmp, name))));
    const strict = ["-L", sandbox.tmp, "--eval", "(setq byte-compile-error-on-warn t)"];
    const compile = [...strict, "-f", "batch-byte-compile", ...copies];
    expect(await batch(sandbox, compile)).toEqual({ stdout: "", stderr: "" });
    const check = copies.flatMap((copy) => ["--eval", `(checkdoc-file "${copy}")`]);
    expect(await batch(sandbox, check)).toEqual({ stdout: "", stderr: "" });
    const main = ["--eval", `(setq package-lint-main-file "${join(sandbox.tmp, "ide-companion.el")}")`];
    const lint = ["-l", packageLint, ...main, "-f", "package-lint-batch-and-exit", ...copies];
    const { stderr } = await batch(sandbox, lint);
    const found = stderr.split("\n").filter((line) => /: (error|warning): /.test(line));
    expect(found.filter((line) => !known.some((words) => line.includes(words)))).toEqual([]);
  },
  { needs: { ...needs, "package-lint": packageLint } },
);

/** It is older than Emacs 28, and wants a home page, which there is none of yet. */
const known = [
  "This makes the package uninstallable in all released Emacs versions.",
  "Package should have a Homepage or URL header.",
];

/** Runs Emacs without a screen; resolves with what it has printed, also when it fails. */
function batch(sandbox: Sandbox, args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  return runAlone(sandbox, program, ["-Q", "--batch", ...args]);
}
