import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { eventually } from "../packages/testkit/src/eventually.ts";
import type { Sandbox } from "../packages/testkit/src/sandbox.ts";
import { oneProcess, startConnected } from "./harness/agent-cli.ts";
import { patchBy } from "./harness/codex.ts";
import { startCompanion } from "./harness/companion.ts";
import { pathWithCommand } from "./harness/editor.ts";
import { emacs, inSelected } from "./harness/emacs.ts";
import { gemini } from "./harness/gemini.ts";
import { helix } from "./harness/helix.ts";
import { callCommand } from "./harness/installation.ts";
import { codex as codexProgram, newerNode } from "./harness/installed.ts";
import { kakoune } from "./harness/kakoune.ts";
import { attachNeovim, neovim, neovimCommand, pluginConfig } from "./harness/neovim.ts";
import { qwen } from "./harness/qwen.ts";
import { openReviewPage } from "./harness/review-page.ts";
import { scenario } from "./harness/scenario.ts";
import { startTerminal, typeLine } from "./harness/terminal.ts";
import { setUpUnasking, unaskingCodex, unaskingGemini, unaskingQwen } from "./harness/unasking.ts";
import { vim } from "./harness/vim.ts";
import { writtenInEditors } from "./harness/written-in-editors.ts";

const poem = (changed: Readonly<Record<number, string>> = {}) =>
  `\uFEFF${Array.from({ length: 30 }, (_, index) => changed[index + 1] ?? `line ${index + 1}`).join("\r\n")}`;

/** Calls git as the user does. */
const gitIn =
  ({ workspace, env }: Sandbox) =>
  (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      ...{ cwd: workspace, env },
      encoding: "utf8",
    });

/** The bytes of all files below a folder. */
const bytesIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => [name, readFileSync(join(folder, name), "latin1")]),
  );

for (const [kind, agent] of [
  [gemini, unaskingGemini],
  [qwen, unaskingQwen],
] as const)
  scenario(
    `what ${kind.displayName} writes in yolo mode is reverted byte by byte, without a companion, and the user's lines stay`,
    async (sandbox) => {
      const path = await sandbox.write("poem.txt", poem());
      await sandbox.write("old.txt", "old\n");
      await sandbox.write("gone.txt", "gone\n");
      const git = gitIn(sandbox);
      git("init", "-q");
      git("add", "-A");
      git("commit", "-qm", "first");
      const { prompt, goOn } = await setUpUnasking(sandbox, agent);
      const dotGit = bytesIn(sandbox.path(".git"));
      const write = (name: string) => ({
        call: "write_file",
        args: { file_path: sandbox.path(name), content: "new\n" },
      });
      const answer = await prompt(
        "Change two files",
        { call: "read_file", args: { file_path: path } },
        kind.replaceCall(path, "line 3\n", "third\n"),
        write("new.txt"),
        {
          call: "run_shell_command",
          args: {
            command:
              "for n in 0 1 2 3 4 5 6 7 8 9; do echo $n >$n.txt; done; mv old.txt moved.txt; rm gone.txt",
            is_background: false,
          },
        },
        { text: "All is done." },
      );
      expect(answer).toContain("All is done.");
      expect(String(await sandbox.read("poem.txt"))).toBe(poem({ 3: "third" }));
      await sandbox.write("poem.txt", poem({ 3: "third", 28: "mine" }));

      const { turns } = JSON.parse(await callCommand(sandbox, "changes", "--json"));
      expect(turns).toMatchObject([{ agent: kind.name, title: "Change two files" }]);
      const { changes } = turns[0];
      expect(changes.slice(0, 2)).toMatchObject([
        { path, kind: "modified", added: 1, removed: 1 },
        { path: sandbox.path("new.txt"), kind: "added", added: 1, removed: 0 },
      ]);
      const byCommand = changes.slice(2).map((one: { path: string; kind: string }) => [one.path, one.kind]);
      expect(byCommand.sort()).toEqual([
        ...Array.from({ length: 10 }, (_, number) => [sandbox.path(`${number}.txt`), "added"]),
        [sandbox.path("gone.txt"), "deleted"],
        [sandbox.path("moved.txt"), "added"],
        [sandbox.path("old.txt"), "deleted"],
      ]);
      await callCommand(sandbox, "changes", "revert", "--yes", "--comment", "Count in digits");
      expect(String(await sandbox.read("poem.txt"))).toBe(poem({ 28: "mine" }));
      expect(bytesIn(sandbox.path(".git"))).toEqual(dotGit);
      expect(git("status", "--porcelain")).toBe(" M poem.txt\n");

      const heard = await goOn("Go on", { text: "I see." });
      expect(heard).toContain(`${path}, line 3:\n- third\n+ line 3`);
      expect(heard.split("The user's comment: Count in digits")).toHaveLength(2);

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
    const { prompt, goOn } = await setUpUnasking(sandbox, unaskingCodex);
    const update = ["*** Update File: a.txt", "@@", "-beta", "+BETA", "*** Add File: new.txt", "+n1"];
    const move = ["*** Update File: c.txt", "*** Move to: moved.txt", "@@", "-c1", "+C1"];
    await prompt("Change it", patchBy(...update, ...move), { text: "Done." });
    expect(String(await sandbox.read("moved.txt"))).toBe("C1\n");
    const { turns } = JSON.parse(await callCommand(sandbox, "changes", "--json"));
    expect(turns).toMatchObject([{ agent: "codex", title: "Change it" }]);
    expect(turns[0].changes).toHaveLength(4);
    await callCommand(sandbox, "changes", "revert", "--yes", "--comment", "Leave the names");
    expect(String(await sandbox.read("a.txt"))).toBe("alpha\nbeta\n");
    expect(String(await sandbox.read("c.txt"))).toBe("c1\n");
    expect(await sandbox.read("new.txt")).toBeUndefined();
    expect(await sandbox.read("moved.txt")).toBeUndefined();
    expect(await goOn("Go on", { text: "I see." })).toContain("The user's comment: Leave the names");
  },
  { needs: { "Codex CLI": codexProgram } },
);

scenario(
  "in yolo mode Gemini CLI asks in Neovim where its user wants that; what it writes without a user is said there, and reverted",
  async (sandbox) => {
    const path = await sandbox.write("poem.txt", "one\ntwo\nthree\n");
    const editor = await neovim.start(sandbox, [path]);
    const { prompt } = await setUpUnasking(sandbox, unaskingGemini);
    await editor.terminal.type(":IdeCompanion review before");
    await editor.terminal.press("Enter");
    await editor.says("each agent of this folder asks you in your editor before it writes");
    await prompt(
      "Count on",
      { call: "read_file", args: { file_path: path } },
      gemini.replaceCall(path, "two\n", "2nd\n"),
      { text: "It is done." },
    );
    await editor.says("Gemini CLI changed poem.txt: +1 −1");
    await editor.terminal.waitFor(/^ {2}two\n~ 2nd/m);
    await editor.terminal.type(":IdeCompanion written");
    await editor.terminal.press("Enter");
    await editor.terminal.waitFor("a keeps it  r reverts it");
    await editor.terminal.type("r");
    await editor.terminal.waitFor("u undoes that");
    expect(String(await sandbox.read("poem.txt"))).toBe("one\n2nd\nthree\n");
    await editor.terminal.type(":w");
    await editor.terminal.press("Enter");
    await eventually(async () => expect(String(await sandbox.read("poem.txt"))).toBe("one\ntwo\nthree\n"));
    const nothing = { turns: [] };
    expect(JSON.parse(await callCommand(sandbox, "changes", "--json"))).toEqual(nothing);

    const cli = await startConnected(sandbox, gemini, {
      command: [...gemini.command, "--approval-mode", "yolo"],
      env: { ...oneProcess, PATH: `${await pathWithCommand(sandbox)}:${newerNode}` },
      settings: await readFile(join(sandbox.home, gemini.folder, "settings.json"), "utf8"),
    });
    await cli.proposeReplace(path, "two\n", "2nd\n");
    const proposal = await editor.proposal("poem.txt");
    expect(String(await sandbox.read("poem.txt"))).toBe("one\ntwo\nthree\n");
    await proposal.replace("2nd", "zwei");
    await proposal.accept();
    await cli.finished();
    expect(String(await sandbox.read("poem.txt"))).toBe("one\nzwei\nthree\n");
    expect(JSON.parse(await callCommand(sandbox, "changes", "--json"))).toEqual(nothing);
  },
  { needs: neovim.needs },
);

scenario(
  "five files of one turn in Gemini CLI's yolo mode are reviewed in Neovim by the keyboard alone, in 24 rows of 80",
  async (sandbox) => {
    const text = (changed: Readonly<Record<number, string>> = {}) =>
      Array.from({ length: 40 }, (_, index) => `${changed[index + 1] ?? `line ${index + 1}`}\n`).join("");
    const names = ["a.txt", "b.txt", "c.txt", "d.txt"];
    const paths = await Promise.all(names.map((name) => sandbox.write(name, text())));
    const keys = { ga: "keep", gr: "revert", gn: "next_written" };
    const mapped = Object.entries(keys).map(
      ([key, name]) => `vim.cmd("nmap ${key} <Cmd>IdeCompanion ${name}<CR>")\n`,
    );
    const config = [pluginConfig, ...mapped].join("");
    const { socket, ...start } = await neovimCommand(sandbox, config, ["--", ...paths.slice(0, 2)]);
    const terminal = await startTerminal(sandbox, { ...start, columns: 80, lines: 24 });
    const editor = await attachNeovim(sandbox, terminal, socket);
    const at = (name: string, line: number) =>
      editor.until(
        `${name}, line ${line}`,
        `vim.fn.expand("%:t") .. vim.fn.line(".") == "${name}${line}" and vim.fn.mode() == "n"`,
      );
    const { prompt } = await setUpUnasking(sandbox, unaskingGemini);
    const [a = "", b = "", c = "", d = ""] = paths;
    await prompt(
      "Change five files",
      ...paths.map((file_path) => ({ call: "read_file", args: { file_path } })),
      gemini.replaceCall(a, "line 3\n", "third\n"),
      gemini.replaceCall(a, "line 30\n", "30th\n30b\n"),
      gemini.replaceCall(b, "line 5\nline 6\n", "5th\n"),
      gemini.replaceCall(c, "line 40\n", "40th\n"),
      gemini.replaceCall(d, "line 1\n", ""),
      { call: "write_file", args: { file_path: sandbox.path("e.txt"), content: "new\nfile\n" } },
      { text: "All five are done." },
    );
    await editor.says("Gemini CLI changed 5 files: +7 −6");
    await terminal.waitFor(/^~ third/m);
    await terminal.type("gn");
    await at("a.txt", 3);
    expect(await terminal.screen()).toMatch(/^ {2}line 2\n {2}line 3 *\n~ third\n {2}line 4$/m);
    await terminal.type("ga");
    await at("a.txt", 30);
    await terminal.type("gr");
    await at("b.txt", 5);
    await terminal.waitFor(/^~ 5th/m);
    await terminal.type("39Gccmine");
    await terminal.press("Escape");
    await terminal.type(":5");
    await terminal.press("Enter");
    await terminal.type("gr");
    await at("c.txt", 40);
    await terminal.type("ga");
    await terminal.waitFor(/^ {2}line 1\n- line 2$/m);
    await terminal.type("gr");
    await terminal.waitFor(/^\+ new\n\+ file$/m);
    await terminal.type("ga");
    await editor.says("Nothing else that an agent wrote waits for you.");
    await terminal.type(":wa");
    await terminal.press("Enter");
    const read = async (name: string) => String(await sandbox.read(name));
    await eventually(async () => {
      expect(await read("a.txt")).toBe(text({ 3: "third" }));
      expect(await read("b.txt")).toBe(text({ 40: "mine" }));
      expect(await read("c.txt")).toBe(text({ 40: "40th" }));
      expect(await read("d.txt")).toBe(text());
      expect(await read("e.txt")).toBe("new\nfile\n");
    });
    expect(JSON.parse(await callCommand(sandbox, "changes", "--json"))).toEqual({ turns: [] });
  },
  { needs: neovim.needs, matrix: true },
);

/** Editors, each with how its user does something with what agents wrote, and the line of the cursor. */
const others = [
  {
    ...{ name: "v", mark: /^ {2}line 3 *\n~ third/m, type: "ggOmine\x1b", save: ":wa\r" },
    toCommand: (what: string) => `:IdeCompanion ${what === "next" ? "next_written" : what}`,
    async start(sandbox: Sandbox, file: string) {
      const editor = await vim.start(sandbox, [file]);
      return { editor, line: async () => String(await editor.ask("line('.')")) };
    },
  },
  {
    ...{ name: "e", mark: /^line 3\nthird/m, type: "mine\r", save: "\x18s!" },
    toCommand: (what: string) => `\x1bxide-companion-${what}-written`,
    async start(sandbox: Sandbox, file: string) {
      const editor = await emacs.start(sandbox, [file]);
      return { editor, line: () => editor.lisp(inSelected("(line-number-at-pos)")) };
    },
  },
  {
    ...{ name: "k", mark: /~\s*third {2}← line 3/, type: "ggOmine\x1b", save: ":write-all\r" },
    toCommand: (what: string) => `:ide-companion-${what === "next" ? "next-change" : what}`,
    async start(sandbox: Sandbox, file: string) {
      const editor = await kakoune.start(sandbox, [file]);
      return { editor, line: () => editor.value("%val{cursor_line}") };
    },
  },
];

scenario(
  "what one turn in Gemini CLI's yolo mode wrote is marked in Vim, Emacs and Kakoune, kept and reverted there, and each goes on to its next file",
  async (sandbox) => {
    const text = (changed: Readonly<Record<number, string>> = {}) =>
      Array.from({ length: 12 }, (_, index) => `${changed[index + 1] ?? `line ${index + 1}`}\n`).join("");
    const started = await Promise.all(
      others.map(async ({ name, start, ...other }) => {
        const first = await sandbox.write(`${name}1.txt`, text());
        const second = await sandbox.write(`${name}2.txt`, text());
        const { editor, line } = await start(sandbox, first);
        await editor.shows("line 3");
        const at = (wanted: string) => eventually(async () => expect(await line()).toBe(wanted));
        return { ...other, name, first, second, editor, at };
      }),
    );
    const { prompt } = await setUpUnasking(sandbox, unaskingGemini);
    const paths = started.flatMap(({ first, second }) => [first, second]);
    await prompt(
      "Change six files",
      ...paths.map((file_path) => ({ call: "read_file", args: { file_path } })),
      ...started.flatMap(({ first, second }) => [
        gemini.replaceCall(first, "line 3\n", "third\n"),
        gemini.replaceCall(first, "line 7\n", "7th\n7b\n"),
        gemini.replaceCall(second, "line 5\n", "5th\n"),
      ]),
      { text: "All six are done." },
    );
    for (const { name, first, second, editor, at, mark, save, toCommand } of started) {
      const { terminal } = editor;
      const run = (what: string) => typeLine(terminal, toCommand(what));
      await editor.says("Gemini CLI changed 6 files: +12 −9");
      await terminal.waitFor(mark);
      await run("next");
      await at("3");
      await run("keep");
      await at("7");
      await terminal.waitForNo(mark);
      await run("revert");
      await terminal.waitFor(`${name}2.txt`);
      await at("5");
      await run("revert");
      await terminal.waitForNo(/5th/);
      await terminal.type(save);
      await eventually(async () => {
        expect(readFileSync(first, "utf8")).toBe(text({ 3: "third" }));
        expect(readFileSync(second, "utf8")).toBe(text());
      });
    }
    expect(JSON.parse(await callCommand(sandbox, "changes", "--json"))).toEqual({ turns: [] });
  },
  { needs: { ...vim.needs, ...emacs.needs, ...kakoune.needs } },
);

scenario(
  "what users save in Neovim, Vim, Emacs and Kakoune while Gemini CLI's command runs is not the command's",
  async (sandbox) => {
    const neovimUser = {
      ...{ name: "n", type: "ggOmine\x1b", save: ":w\r" },
      start: async (_: Sandbox, file: string) => ({ editor: await neovim.start(sandbox, [file]) }),
    };
    const users = await Promise.all(
      [neovimUser, ...others].map(async ({ name, start, type, save }) => {
        const file = await sandbox.write(`${name}.txt`, "theirs\n");
        const { editor } = await start(sandbox, file);
        await editor.shows("theirs");
        return { file, terminal: editor.terminal, type, save };
      }),
    );
    const git = gitIn(sandbox);
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "first");
    const { prompt } = await setUpUnasking(sandbox, unaskingGemini);
    const command = "touch ../runs; until [ -e ../saved ]; do sleep 0.1; done; echo new >by-command.txt";
    const done = prompt(
      "Watch my files",
      { call: "run_shell_command", args: { command, is_background: false } },
      { text: "It is done." },
    );
    await eventually(async () => expect(await sandbox.read("../runs")).toBeDefined());
    for (const { file, terminal, type, save } of users) {
      await terminal.type(type);
      await terminal.type(save);
      await eventually(() => expect(readFileSync(file, "utf8")).toBe("mine\ntheirs\n"));
    }
    await sandbox.write("../saved", "");
    await done;
    // An editor may tell of its save a moment later.
    await eventually(async () => {
      const { turns } = JSON.parse(await callCommand(sandbox, "changes", "--json"));
      expect(turns[0].changes.map(({ path }: { path: string }) => path)).toEqual([
        sandbox.path("by-command.txt"),
      ]);
    });
  },
  { needs: { ...neovim.needs, ...vim.needs, ...emacs.needs, ...kakoune.needs } },
);

scenario(
  "what Gemini CLI wrote in yolo mode is in a review page that starts later, the next turn comes to it, and keys revert both",
  async (sandbox) => {
    const path = await sandbox.write("poem.txt", poem());
    const { prompt } = await setUpUnasking(sandbox, unaskingGemini);
    await prompt(
      "Count on",
      { call: "read_file", args: { file_path: path } },
      gemini.replaceCall(path, "line 3\n", "third\n"),
      gemini.replaceCall(path, "line 28\n", "28th\n"),
      { text: "It is done." },
    );
    const { page } = await openReviewPage(sandbox, (await startCompanion(sandbox)).link);
    const written = page.getByRole("region", { name: /^Written/ });
    await written.getByRole("button", { name: "poem.txt" }).waitFor();
    const write = { call: "write_file", args: { file_path: sandbox.path("new.txt"), content: "new\n" } };
    await prompt("Write another one", write, { text: "It is done as well." });
    await page.getByText("Gemini CLI changed new.txt: +1 −0").first().waitFor();
    const current = page.locator(".panel:not([hidden]) .scroll-current .hunk-current");
    await page.keyboard.press("W");
    await current.getByText("Change 1 of 1").waitFor();
    await page.keyboard.press("n");
    await page.getByText("Nothing of this turn waits any more.").waitFor();
    await page.keyboard.press("W");
    await current.getByText("Change 1 of 2").waitFor();
    await page.keyboard.press("y");
    await current.getByText("Change 1 of 1").waitFor();
    await page.keyboard.press("n");
    await written.waitFor({ state: "detached" });
    expect(String(await sandbox.read("poem.txt"))).toBe(poem({ 3: "third" }));
    expect(await sandbox.read("new.txt")).toBeUndefined();
    expect(JSON.parse(await callCommand(sandbox, "changes", "--json"))).toEqual({ turns: [] });
  },
);

writtenInEditors(unaskingGemini, [helix]);
