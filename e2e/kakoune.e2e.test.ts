import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { WireClient } from "../packages/testkit/src/fake-cli/gemini-family.ts";
import { ended } from "../packages/testkit/src/process-tree.ts";
import type { Sandbox } from "../packages/testkit/src/sandbox.ts";
import { poll } from "../packages/testkit/src/waiting.ts";
import { startConnected } from "./harness/agent-cli.ts";
import { awaitedLater } from "./harness/awaited-later.ts";
import { discoveryFiles } from "./harness/discovery-files.ts";
import { editorScenarios } from "./harness/editor-scenarios.ts";
import { connectFakeClaude } from "./harness/fake-claude.ts";
import { startFakeCli } from "./harness/fake-cli.ts";
import { gemini } from "./harness/gemini.ts";
import { attachKakoune, kakoune, kakouneCommand } from "./harness/kakoune.ts";
import { startMcpClient } from "./harness/mcp-client.ts";
import { qwen } from "./harness/qwen.ts";
import { openReviewPage } from "./harness/review-page.ts";
import { scenario } from "./harness/scenario.ts";
import { startTerminal, type Terminal, type TerminalOptions, typeLine } from "./harness/terminal.ts";

const { needs } = kakoune;
const { Kakoune: kak = "" } = needs;

editorScenarios(kakoune);

scenario(
  "in Kakoune changes are gone through and reverted, and edits that an agent does not write are compared, restored and gone with the file",
  async (sandbox) => {
    const path = await sandbox.write("poem.txt", "one\ntwo\nthree\nfour\nfive\n");
    const editor = await kakoune.start(sandbox, [path]);
    const cli = await startConnected(sandbox, qwen);
    await cli.proposeWrite(path, "one\n2\nthree\nfour\nfive\nsix\n");
    await editor.proposal("poem.txt");
    await editor.terminal.waitFor(/~\s*2[\s\S]*two[\s\S]*\+\s*six/); // the replaced line below its change
    await editor.command("ide-companion-revert");
    await editor.terminal.waitFor("poem.txt +1 −0");
    await editor.command("ide-companion-next-change");
    expect(await editor.value("%val{cursor_line}")).toBe("6");
    await cli.acceptInTerminal();
    await cli.finished();
    await editor.terminal.waitFor("Your text is not in poem.txt: ");
    expect(String(await sandbox.read("poem.txt"))).toBe("one\n2\nthree\nfour\nfive\nsix\n");
    await editor.command("ide-companion-edits");
    await editor.terminal.waitFor(/^\s*poem\.txt: /m);
    await editor.terminal.press("Enter");
    await editor.terminal.waitFor(/-2\s+\+two/);
    await editor.command("ide-companion-act");
    await editor.terminal.waitFor("restores");
    await editor.terminal.press("Enter");
    await editor.terminal.waitFor("poem.txt has your text now");
    await editor.command("write");
    await poll(
      "the file",
      async () => String(await sandbox.read("poem.txt")) === "one\ntwo\nthree\nfour\nfive\nsix\n",
    );
    await editor.command("ide-companion-edits");
    await editor.terminal.waitFor("There are no recovered edits");
    await editor.command("ide-companion-history");
    await editor.terminal.waitFor("decided in the terminal");
    await editor.terminal.press("Enter");
    await editor.terminal.waitFor(/:ide-companion-act/);
  },
  { needs },
);

scenario(
  "agents hear where Kakoune's user is while a key is held down, which lets Kakoune never be idle",
  async (sandbox) => {
    const editor = await kakoune.start(sandbox, [await sandbox.write("long.txt", "line\n".repeat(20))]);
    const claude = await connectFakeClaude(sandbox);
    await editor.command("set-option global idle_timeout 600000");
    for (const lines of [8, 16]) {
      await editor.terminal.type("jjjjjjjj");
      await editor.terminal.waitFor(`${lines + 1}:1`);
      const line = expect.objectContaining({ line: expect.toSatisfy((line) => line > lines - 8) });
      const wanted = expect.objectContaining({ selection: expect.objectContaining({ start: line }) });
      const look = async () => wanted.asymmetricMatch(claude.sent("selection_changed").at(-1));
      await poll(`a line near ${lines}`, look, {
        describe: async () => JSON.stringify(claude.sent("selection_changed")),
      });
    }
  },
  { needs },
);

scenario(
  "in Kakoune the selected lines are sent to the prompt of an agent that takes references, and all are made to ask",
  async (sandbox) => {
    const path = await sandbox.write("it's 😀.txt", "one\ntwo\nthree\n");
    const editor = await kakoune.start(sandbox, [path]);
    const claude = await connectFakeClaude(sandbox);
    await editor.command("execute-keys gjxKx");
    await editor.command("ide-companion-send");
    await editor.terminal.waitFor("The prompt of Claude Code has the reference");
    await editor.command("execute-keys <percent>");
    await editor.command("ide-companion-send");
    const mentions = await poll("two mentions", async () => {
      const sent = claude.sent("at_mentioned");
      return sent.length > 1 ? sent : undefined;
    });
    expect(mentions).toEqual([{ filePath: path, lineStart: 1, lineEnd: 2 }, { filePath: path }]);
    claude.socket.close();
    await poll(
      "the end of the session",
      async () => (await editor.value("%opt{ide_companion_status}")) === "",
    );
    await editor.command("ide-companion-send");
    await editor.terminal.waitFor("No agent's prompt can be reached");
    await editor.command("ide-companion-review-mode before");
    await editor.terminal.waitFor("before: each agent of this folder asks you in your editor");
    await editor.command("ide-companion-status");
    await editor.terminal.waitFor("Review: before.");
  },
  { needs },
);

scenario(
  "what an agent writes after an acceptance is loaded by Kakoune without a question, and the user is notified",
  async (sandbox) => {
    const path = await sandbox.write("poem, of two lines.txt", "one\ntwo\n");
    const editor = await kakoune.start(sandbox, [path]);
    await editor.command("set-option global autoreload ask");
    const cli = await startFakeCli(sandbox);
    await cli.proposeReplace(path, "two", "2");
    await (await editor.proposal("poem, of two lines.txt")).accept();
    await editor.terminal.waitFor("Accepted: poem, of two lines.txt. Fake CLI writes it now.");
    await cli.finished();
    await editor.open(path);
    await editor.terminal.waitFor(/one\s+2\s+~/);
    expect(await editor.terminal.screen()).not.toContain("reload");
    expect(await editor.value("%opt{autoreload}")).toBe("ask");
  },
  { needs },
);

scenario(
  "what waits in Kakoune is listed in a menu that leads to each, and all of it is accepted after one question",
  async (sandbox) => {
    const editor = await kakoune.start(sandbox, [await sandbox.write("poem.txt", "one\n")]);
    const cli = await startFakeCli(sandbox);
    const propose = (name: string) => cli.propose(sandbox.path(name), `${name}\n`);
    const first = propose("a.txt");
    await editor.terminal.waitFor("(1)"); // two that come at once have no order
    const outcomes = [first, propose("b.txt")];
    await editor.terminal.waitFor("(2)");
    await editor.command("ide-companion-waiting");
    await editor.terminal.waitFor(/a\.txt: [^\n]*Fake CLI[\s\S]*b\.txt: /);
    await editor.terminal.press("Enter");
    await editor.terminal.waitFor("goes to it");
    await editor.terminal.press("Enter");
    await editor.terminal.waitFor(/Fake CLI proposes a\.txt/);
    await editor.command("ide-companion-accept-all");
    await editor.terminal.waitFor("Accept 2 proposals?");
    await editor.terminal.press("Enter");
    expect(await Promise.all(outcomes)).toMatchObject([{ kind: "accepted" }, { kind: "accepted" }]);
    expect(String(await sandbox.read("b.txt"))).toBe("b.txt\n");
    await editor.nothingWaits();
  },
  { needs },
);

scenario(
  "who writes all files in Kakoune accepts only the proposal that is looked at",
  async (sandbox) => {
    const path = await sandbox.write("poem.txt", "one\nand\ntwo\n");
    const editor = await kakoune.start(sandbox, [path]);
    const cli = await startFakeCli(sandbox);
    await cli.proposeReplace(path, "two", "2");
    await (await editor.proposal("poem.txt")).replace("2", "zwei");
    const proposal = await editor.value("%val{buffile}");
    await editor.open(path);
    await editor.typeUnsaved("!");
    await editor.command("write-all");
    await editor.terminal.waitFor("accepted by :write in its own buffer only");
    expect(String(await sandbox.read("poem.txt"))).toBe("one!\nand\ntwo\n");
    expect(await editor.value("%opt{ide_companion_waiting}")).toBe(proposal);
    await (await editor.proposal("poem.txt")).accept();
    await cli.finished();
    expect(String(await sandbox.read("poem.txt"))).toBe("one!\nand\nzwei\n");
    await editor.nothingWaits();
  },
  { needs },
);

scenario(
  "a companion that dies while Kakoune runs starts again, every time, and what was open then decides nothing any more",
  async (sandbox) => {
    const path = await sandbox.write("note.txt", "first\nsecond\n");
    const editor = await kakoune.start(sandbox, [path]);
    await editor.companion();
    const cli = await connectWireClient(sandbox);
    await cli.call("openDiff", { filePath: path, newContent: "first\n2nd\n" });
    await (await editor.proposal("note.txt")).replace("2nd", "zwei");
    const orphan = await editor.value("%val{buffile}");
    let companion = await editor.companion();
    for (const _ of ["once", "twice"]) {
      process.kill(companion, "SIGKILL");
      companion = await editor.companion(companion);
    }
    await editor.terminal.waitFor("nobody waits for this any more");
    await editor.shows("zwei");

    const next = await startFakeCli(sandbox);
    await next.proposeReplace(path, "first", "1st");
    await editor.proposal("note.txt");
    const proposal = await editor.value("%val{buffile}");
    expect(proposal).not.toBe(orphan);
    await editor.command(`buffer ${orphan}`);
    await editor.command("delete-buffer!");
    expect(await editor.value("%opt{ide_companion_waiting}")).toBe(proposal);
    await (await editor.proposal("note.txt")).accept();
    await next.finished();
    expect(String(await sandbox.read("note.txt"))).toBe("1st\nsecond\n");
    await editor.nothingWaits();

    await editor.command("kill!");
    await editor.terminal.exited();
    await ended([companion]);
    expect(await discoveryFiles(sandbox)).toEqual([]);
  },
  { needs },
);

scenario(
  "Kakoune's companion goes on, and starts again, after the client has quit that Kakoune has begun with",
  async (sandbox) => {
    const path = await sandbox.write("note.txt", "first\nsecond\n");
    const { shell, editor, session, env } = await startInShell(sandbox, path);
    const other = await startTerminal(sandbox, { command: [kak, "-c", session], env });
    await other.waitFor("client1@");
    const companion = await editor.companion();
    const cli = await startFakeCli(sandbox);
    await editor.command("quit");
    await shell.waitFor("forked server to background");
    const type = (text: string) => typeLine(other, `:${text}`);
    await cli.proposeReplace(path, "second", "2nd");
    await other.waitFor(":ide-companion-review shows it");
    await type("ide-companion-review");
    await other.waitFor(":w accepts");
    await type("write");
    expect(await cli.finished()).toMatchObject({ content: "first\n2nd\n" });

    process.kill(companion, "SIGKILL");
    const next = await startFakeCli(sandbox, "Next CLI");
    await next.proposeReplace(path, "first", "1st");
    await other.waitFor("Next CLI proposes note.txt");
    await next.leave();
    await type("kill!");
    await other.exited();
    await poll("no companion", async () => (await discoveryFiles(sandbox)).length === 0);
  },
  { needs },
);

scenario(
  "a companion that is killed before an agent writes leaves Kakoune's question about other texts as it was",
  async (sandbox) => {
    const path = await sandbox.write("note.txt", "first\nsecond\n");
    const editor = await kakoune.start(sandbox, [path]);
    await editor.command("set-option global autoreload ask");
    const cli = await connectWireClient(sandbox);
    await cli.call("openDiff", { filePath: path, newContent: "first\n2nd\n" });
    await (await editor.proposal("note.txt")).accept();
    await editor.terminal.waitFor("writes it now");
    const companion = await editor.companion();
    process.kill(companion, "SIGKILL");
    await editor.companion(companion);
    await editor.open(path);
    const isAsked = async () => (await editor.value("%opt{autoreload}")) === "ask";
    await poll("autoreload as it was", isAsked);
  },
  { needs },
);

scenario(
  "Kakoune says why its companion does not start, and starts it once it can",
  async (sandbox) => {
    const path = await sandbox.write("note.txt", "first\n");
    const { command, env, session } = await kakouneCommand(sandbox, [path]);
    const program = join(sandbox.home, "bin", "ide-companion");
    await rename(program, `${program}.later`);
    await writeFile(program, '#!/bin/sh\necho "there\'s no node" >&2\nexit 127\n', { mode: 0o755 });
    const terminal = await startTerminal(sandbox, { command, env });
    await terminal.waitFor("The companion has failed, and starts again");
    await rename(`${program}.later`, program);
    const editor = await attachKakoune(sandbox, terminal, session);
    await editor.command("buffer *debug*");
    await terminal.waitFor("ide-companion: there's no node");
  },
  { needs },
);

scenario(
  "a Kakoune client has the focus again after two losses of it, and the next one of its name has it from the start",
  async (sandbox) => {
    const path = await sandbox.write("note.txt", "first\nsecond\n");
    const { command, env, session } = await kakouneCommand(sandbox, [path]);
    const editor = await attachKakoune(sandbox, await startTerminal(sandbox, { command, env }), session);
    const away = (wanted: string) =>
      poll(`away: ${wanted}`, async () => (await editor.value("%opt{ide_companion_away}")) === wanted);
    const other = await startTerminal(sandbox, { command: [kak, "-c", session], env });
    await other.waitFor("client1@");
    const [focusIn, focusOut] = ["\u001B[I", "\u001B[O"];
    await other.type(focusOut);
    await away("client1");
    await other.type(focusOut);
    await other.type(focusIn);
    await away("");
    await other.type(focusOut);
    await away("client1");
    await other.type(":quit");
    await other.press("Enter");
    await other.exited();
    await away("");
  },
  { needs },
);

scenario(
  "while Kakoune is suspended the agent in its terminal has its IDE, and afterwards everything goes on",
  async (sandbox) => {
    const path = await sandbox.write("note.txt", "first\nsecond\n");
    const { shell, editor } = await startInShell(sandbox, path);
    const companion = await editor.companion();
    await editor.select("first");
    await shell.press("C-z");
    await shell.waitFor(/Stopped[\s\S]*ready>\s*$/);
    expect(await readFile(`/proc/${editor.pid}/stat`, "utf8")).toContain(") T ");
    const cli = await startConnected(sandbox, gemini, { start: (_, options) => runIn(shell, options) });
    await cli.say("Describe what you see");
    expect((await cli.model.request("Describe what you see")).text).toContain(path);
    await shell.waitFor("Done.");
    await shell.press("C-c");
    await shell.waitFor("again to exit");
    await shell.press("C-c");
    await shell.waitFor(/powering down[\s\S]*ready>\s*$/);
    await typeLine(shell, "fg");
    await editor.select("second");
    expect(await editor.companion()).toBe(companion);
  },
  { needs },
);

scenario(
  "a proposal that comes while Kakoune is busy for long waits in the browser, and Kakoune leads there",
  async (sandbox) => {
    const path = await sandbox.write("note.txt", "first\nsecond\n");
    const editor = await kakoune.start(sandbox, [path]);
    const cli = await connectWireClient(sandbox);
    // Kakoune does nothing else until this ends.
    await editor.command(`nop %sh{ until [ -e "${sandbox.path("go")}" ]; do sleep 0.1; done }`);
    await cli.call("openDiff", { filePath: path, newContent: "first\n2nd\n" });
    await sandbox.write("go", "");
    await editor.terminal.waitFor(":ide-companion-page");
    await editor.command("ide-companion-page");
    await editor.terminal.waitFor("The link to the page");
    const page = await openReviewPage(sandbox, await editor.value("%reg{dquote}"));
    await (await page.proposal("note.txt")).reject();
  },
  { needs },
);

scenario(
  "a file that an agent shows in Kakoune takes the place of what is read, and of nothing that is typed or reviewed",
  async (sandbox) => {
    const read = await sandbox.write("note.txt", "first\nsecond\n");
    const shown = await sandbox.write("other one's.txt", `${"line\n".repeat(300)}😀 and words\n`);
    const editor = await kakoune.start(sandbox, [read]);
    const { call } = await startMcpClient(sandbox);
    const show = () => call("openFile", { filePath: shown, line: 301, character: 8 });
    const refusal = "the user is in the middle of something";
    await editor.terminal.type("i");
    await editor.terminal.waitFor("insert 1 sel");
    await expect(show()).rejects.toThrow(refusal);
    await editor.terminal.press("Escape");
    await editor.terminal.waitForNo("insert 1 sel");

    const decided = awaitedLater(call("openDiff", { filePath: read, newContent: "first\n2nd\n" }));
    const proposal = await editor.proposal("note.txt");
    await expect(show()).rejects.toThrow(refusal);
    await proposal.reject();
    expect(await decided).toMatchObject({ outcome: "rejected" });

    await show();
    expect(await editor.value("%val{buffile}")).toBe(shown);
    expect(await editor.value("%val{cursor_line} %val{selection}")).toBe("301 w");
  },
  { needs },
);

scenario(
  "a proposal that comes while the user types in Kakoune is announced there, also when its terminal has no focus",
  async (sandbox) => {
    const path = await sandbox.write("note.txt", "first\nsecond\n");
    const editor = await kakoune.start(sandbox, [path]);
    const cli = await startFakeCli(sandbox);
    await editor.command("set-option -add global ide_companion_away client0");
    await editor.terminal.type("i");
    await editor.terminal.waitFor("insert 1 sel");
    await cli.proposeReplace(path, "second", "2nd");
    await editor.terminal.waitFor(":ide-companion-review shows it");
    await editor.terminal.type("mine ");
    await editor.terminal.press("Escape");
    await editor.terminal.waitForNo("insert 1 sel");
    expect(await editor.value("%val{buffile}")).toBe(path);
    await (await editor.proposal("note.txt")).accept();
    expect(await cli.finished()).toMatchObject({ content: "first\n2nd\n" });
    await editor.nothingWaits();

    await cli.proposeReplace(path, "first", "1st");
    await poll("the proposal, in a client without the focus", async () => {
      const proposal = await editor.value("%opt{ide_companion_waiting}");
      return proposal !== "" && (await editor.value("%val{buffile}")) === proposal;
    });
  },
  { needs },
);

scenario(
  "a terminal that Kakoune opens has what an agent needs to find this Kakoune",
  async (sandbox) => {
    const editor = await kakoune.start(sandbox, [await sandbox.write("open.txt", "open\n")]);
    const variables = sandbox.path("variables");
    await editor.command(`ide-companion-terminal sh -c 'env > ${variables}'`);
    await poll("the terminal's variables", async () =>
      /GEMINI_CLI_IDE_SERVER_PORT=\d+/.test(String(await sandbox.read("variables"))),
    );
  },
  { needs },
);

scenario(
  "a terminal that Kakoune opens while its companion is busy comes later, and Kakoune does not wait for it",
  async (sandbox) => {
    const editor = await kakoune.start(sandbox, [await sandbox.write("open.txt", "open\n")]);
    const companion = await editor.companion();
    const variables = sandbox.path("variables");
    process.kill(companion, "SIGSTOP");
    // Whole, once it is there.
    const command = `env > ${variables}.new; mv ${variables}.new ${variables}; exec sleep 1000`;
    await editor.command(`ide-companion-terminal sh -c '${command}'`);
    await editor.shows("open");
    process.kill(companion, "SIGCONT");
    await poll("the terminal's variables", () => sandbox.read("variables"));
    expect(String(await sandbox.read("variables"))).toMatch(/GEMINI_CLI_IDE_SERVER_PORT=\d+/);
  },
  { needs },
);

scenario(
  "who opens a terminal in Kakoune hears when the companion has ended meanwhile",
  async (sandbox) => {
    const editor = await kakoune.start(sandbox, [await sandbox.write("open.txt", "open\n")]);
    const gone = sandbox.path("gone");
    await editor.command(`set-option global ide_companion_folder ${gone}`);
    await editor.command("ide-companion-terminal");
    await editor.terminal.waitFor("the companion has ended");
  },
  { needs },
);

/** Kakoune in a shell, to which its user comes back. */
async function startInShell(sandbox: Sandbox, path: string) {
  const { command, env, session } = await kakouneCommand(sandbox, [path]);
  const shell = await startTerminal(sandbox, {
    command: ["bash", "--norc"],
    env: { ...env, PS1: "ready> " },
  });
  await runIn(shell, { command });
  return { shell, editor: await attachKakoune(sandbox, shell, session), session, env };
}

/** Connects as Gemini CLI does, and does nothing on its own. */
async function connectWireClient(sandbox: Sandbox): Promise<WireClient> {
  const files = await discoveryFiles(sandbox);
  const file = files.find((name) => name.includes("gemini-ide-server")) ?? "";
  const { port, authToken } = JSON.parse(await readFile(file, "utf8"));
  return new WireClient(port, authToken).initialize();
}

/** Starts a program in a shell that runs. */
async function runIn(shell: Terminal, { command, env = {} }: TerminalOptions): Promise<Terminal> {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const words = ["env", ...variables, ...command];
  await typeLine(shell, words.map((word) => `'${word}'`).join(" "));
  return shell;
}
