import { rm } from "node:fs/promises";
import { expect } from "vitest";
import type { Sandbox } from "../packages/testkit/src/sandbox.ts";
import { poll } from "../packages/testkit/src/waiting.ts";
import { startAgent, startConnected } from "./harness/agent-cli.ts";
import { awaitedLater } from "./harness/awaited-later.ts";
import { discoveryFiles } from "./harness/discovery-files.ts";
import { editorScenarios } from "./harness/editor-scenarios.ts";
import { editorToolNames, withEditorTools } from "./harness/editor-tools.ts";
import { startFakeCli } from "./harness/fake-cli.ts";
import { gemini } from "./harness/gemini.ts";
import { inWindow } from "./harness/integrated-terminal.ts";
import { startMcpClient } from "./harness/mcp-client.ts";
import { modelReceives } from "./harness/model-receives.ts";
import { discardOwnEdits, showOwnEdits } from "./harness/own-edits.ts";
import { type Proposer, proposers } from "./harness/proposer.ts";
import { qwen } from "./harness/qwen.ts";
import { sharedVscode } from "./harness/shared-vscode.ts";
import { applySettings, typeUntil } from "./harness/vscode.ts";
import { lookAt, select } from "./harness/window-editor.ts";

/** A PNG of one dot. */
const dot = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYPgPAAEDAQAIicLsAAAAAElFTkSuQmCC",
  "base64",
);

const vscode = sharedVscode();

editorScenarios(vscode.editor, { only: ["fake"], addScenario: vscode.scenario });

const mark = "\uFEFF";
const many = "a line of 50 characters, which stands here often .\n".repeat(100_000);

/** Name and content of files in which `old` becomes `new`, then `newer` by the user's hand. */
const files: readonly (readonly [name: string, content: string])[] = [
  ["mark.txt", `${mark}first\nold\nlast\n`],
  ["mark-crlf.txt", `${mark}first\r\nold\r\nlast`],
  ["nul.txt", "first\nold\n\0last\n"],
  ["five-megabytes.txt", `first\nold\n${many}`],
];

for (const { agent, matrix, start } of proposers) bytesSurvive(agent, start, { matrix });
bytesSurvive("Qwen Code", (sandbox) => startConnected(sandbox, qwen), { matrix: true });

function bytesSurvive(
  agent: string,
  startProposer: (sandbox: Sandbox) => Promise<Proposer>,
  { matrix = false } = {},
): void {
  vscode.scenario(
    `byte order marks, CRLF, a NUL and 5 MB survive a review of ${agent} in VS Code`,
    async (sandbox, window) => {
      const cli = await startProposer(sandbox);
      for (const [name, content] of files) {
        const path = await sandbox.write(name, content);
        await cli.proposeReplace(path, "old", "new");
        const tab = window.tab(`${name} (${cli.displayName})`);
        await tab.click();
        const proposal = await lookAt(window);
        await proposal.replace("new", "newer");
        await proposal.accept();
        await tab.waitFor({ state: "detached" });
        await cli.accepted();
        const isExact = String(await sandbox.read(name)) === content.replace("old", "newer");
        expect(isExact, name).toBe(true);
      }
    },
    { matrix },
  );
}

/** Calls one of our tools. @returns what the agent receives */
type CallTool = (tool: string, args: Readonly<Record<string, unknown>>) => Promise<string>;

usesItsTools("an MCP client", async (sandbox) => {
  const { call } = await startMcpClient(sandbox);
  return async (tool, args) => JSON.stringify(await call(tool, args));
});
usesItsTools("Gemini CLI without IDE mode", callsByGemini, { matrix: true });

async function callsByGemini(sandbox: Sandbox): Promise<CallTool> {
  const cli = await startAgent(sandbox, withEditorTools(gemini, sandbox));
  const nameOf = await editorToolNames(cli);
  let calls = 0;
  return async (tool, args) => {
    calls += 1;
    cli.model.plan({ call: nameOf(tool), args }, { text: `Call ${calls} is over.` });
    await cli.say(`Make call ${calls}`);
    await cli.terminal.waitFor(`Call ${calls} is over.`);
    return cli.model.requests.at(-1)?.text ?? "";
  };
}

function usesItsTools(
  agent: string,
  start: (sandbox: Sandbox) => Promise<CallTool>,
  { matrix = false } = {},
): void {
  vscode.scenario(
    `by its tools ${agent} shows a place in VS Code, next to what is typed in, and reads what VS Code has found`,
    async (sandbox, window) => {
      const path = await sandbox.write("faulty.json", '{\n  "first": 1,\n  "second": \n}\n');
      const note = await sandbox.write("note.txt", "a note\n");
      const other = await sandbox.write("other.txt", "another note\n");
      const picture = await sandbox.write("dot.png", dot);
      const { page } = window;
      const call = await start(sandbox);
      await window.open(note);
      const lines = page.locator(".view-line");
      await page.locator(".monaco-editor .view-line").first().click();

      const shown = awaitedLater(typeUntil(page, page.locator(".squiggly-error").first().waitFor()));
      await lines.filter({ hasText: "x" }).waitFor();
      await call("openFile", { filePath: path, line: 3, character: 5 });
      await lines.filter({ hasText: `a note${await shown}` }).waitFor();

      const diagnostics = await call("getDiagnostics", { filePath: path });
      expect(diagnostics).toMatch(/"line":\s*[34],/);
      expect(diagnostics).toContain("Value expected");

      // In a picture nothing is typed.
      await window.open(picture);
      await call("openFile", { filePath: other });
      await page.locator(".tab.active").filter({ hasText: "other.txt" }).waitFor();
    },
    { matrix },
  );
}

/** What an agent should know of files, by their names. */
interface Wanted {
  readonly active?: string;
  readonly open?: string;
  readonly closed?: readonly string[];
  /** A text in the first line. */
  readonly selected?: string;
}

/** Waits until an agent knows this. @returns all that it has received */
type Receives = (wanted: Wanted) => Promise<string>;

receivesContext("a fake CLI", async (sandbox) => {
  const cli = await startFakeCli(sandbox);
  return (wanted) => {
    const received = () => JSON.stringify(cli.context);
    const look = () => {
      const files = cli.context?.workspaceState?.openFiles ?? [];
      const find = (name: string | undefined) => files.find(({ path }) => name && path.endsWith(`/${name}`));
      const [active, selecting] = [find(wanted.active), files[0]];
      const isSeen =
        (wanted.active === undefined || active?.isActive) &&
        (wanted.open === undefined || find(wanted.open)) &&
        !wanted.closed?.some(find) &&
        (wanted.selected === undefined ||
          (selecting?.selectedText === wanted.selected && selecting.cursor?.line === 1));
      return isSeen ? received() : undefined;
    };
    return poll(`${JSON.stringify(wanted)} in the context`, look, { describe: received });
  };
});

/** It sends with each prompt what has changed. */
receivesContext(
  "Gemini CLI",
  async (sandbox) => {
    const cli = await startConnected(sandbox, gemini);
    return ({ active, open, closed = [], selected }) => {
      const of = (key: string, end: string, name: string | undefined) =>
        name === undefined ? [] : [new RegExp(`${key}"[^${end}]*${name.replace(".", "\\.")}`)];
      return modelReceives(
        cli,
        ...of("activeFile(?:Changed)?", "}", active),
        ...of("filesOpened", "\\]", open),
        ...closed.flatMap((name) => of("filesClosed", "\\]", name)),
        ...(selected === undefined
          ? []
          : [new RegExp(`"line":\\s*1\\b[^]*"selectedText":\\s*"${selected}"`)]),
      );
    };
  },
  { matrix: true },
);

const notebook = JSON.stringify({
  cells: [{ cell_type: "markdown", source: ["# Study\n"], metadata: {} }],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
});

function receivesContext(
  agent: string,
  start: (sandbox: Sandbox) => Promise<Receives>,
  { matrix = false } = {},
): void {
  vscode.scenario(
    `${agent} receives VS Code's notebooks and pictures, and nothing that is excluded, paused or gone`,
    async (sandbox, window) => {
      const note = await sandbox.write("note.txt", "a note\nanother note\n");
      const study = await sandbox.write("study.ipynb", notebook);
      const picture = await sandbox.write("dot.png", dot);
      const secret = await sandbox.write("secrets/key.txt", "secret\n");
      const ignored = await sandbox.write("build/out.txt", "built\n");
      await sandbox.write(".gitignore", "build/\n");
      await applySettings(sandbox, window, {
        "ideCompanion.exclude": ["secrets/"],
        "ideCompanion.excludeGitIgnored": true,
      });
      const receives = await start(sandbox);
      for (const path of [study, picture, secret, ignored, note]) await window.open(path);

      const first = await receives({ active: "note.txt" });
      expect(first).toContain(study);
      expect(first).toContain(picture);
      expect(first).not.toContain(secret);
      expect(first).not.toContain(ignored);

      // Of several selections, the first one made is the primary.
      await select(window, "note");
      await window.page.keyboard.press("Control+d");
      await window.page.locator(".statusbar-item").filter({ hasText: "2 selections" }).waitFor();
      await receives({ selected: "note" });

      await window.status.click();
      await window.choose("Pause sharing");
      await window.status.filter({ hasText: "Sharing paused" }).waitFor();
      await receives({ closed: ["note.txt", "study.ipynb"] });
      await window.command("IDE Companion: Resume Sharing");
      await receives({ open: "note.txt" });

      await window.rename("note.txt", "renamed.txt");
      await receives({ open: "renamed.txt", closed: ["note.txt"] });
      // By another program: VS Code keeps its tab.
      await rm(picture);
      await receives({ closed: ["dot.png"] });
      await window.tab("study.ipynb").click();
      await receives({ active: "study.ipynb" });
      await window.tab("study.ipynb").getByRole("button", { name: "Close" }).click();
      await receives({ closed: ["study.ipynb"] });
    },
    { matrix },
  );
}

const words = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
const text = (...changed: readonly string[]) =>
  `${words.map((word) => changed.find((other) => other.startsWith(word)) ?? word).join("\n")}\n`;

for (const kind of [gemini, qwen])
  vscode.scenario(
    `${kind.displayName} in VS Code's own terminal: a selection, a change reverted, an edit, a closed tab and Esc`,
    async (sandbox, window) => {
      // A repository that would like to choose what is run: VS Code must not even look.
      const chosen = { [`ideCompanion.${kind.name}.command`]: "touch chosen-by-repository" };
      await applySettings(sandbox, window, chosen);
      const path = await sandbox.write("numbers.txt", text());
      await window.open(path);
      const start = inWindow(window, kind.name, `Run ${kind.displayName}`);
      const cli = await startConnected(sandbox, kind, { start });
      expect(await sandbox.read("chosen-by-repository")).toBeUndefined();
      await window.status.filter({ hasText: kind.displayName }).waitFor();
      await select(window, "four");
      expect(await modelReceives(cli, /\bfour\b/)).toContain(path);

      const tab = window.tab(`numbers.txt (${kind.displayName})`);
      await cli.proposeWrite(path, text("two, changed", "seven, changed"));
      // The tab comes behind where the selection was made a moment ago.
      await tab.click();
      const proposal = await lookAt(window);
      await window.page.getByRole("button", { name: "Revert" }).first().click();
      await window.page.locator(".codelens-decoration").getByText("+1 −1").waitFor();
      await proposal.replace("seven, changed", "seven, edited");
      await proposal.accept();
      await cli.finished();
      expect(String(await sandbox.read("numbers.txt"))).toBe(text("seven, edited"));

      await cli.proposeWrite(path, text("one, changed"));
      await tab.click();
      await tab.getByRole("button", { name: "Close" }).click();
      await tab.waitFor({ state: "detached" });
      // It waits on, in the terminal and here.
      await window.status.filter({ hasText: "1 change to review" }).click();
      await tab.waitFor();
      await (await lookAt(window)).reject();
      await cli.terminal.waitFor(kind.rejected);

      await cli.proposeWrite(path, text("three, changed"));
      await tab.waitFor();
      await cli.cancelInTerminal();
      await tab.waitFor({ state: "detached" });
      expect(String(await sandbox.read("numbers.txt"))).toBe(text("seven, edited"));
    },
    { matrix: kind === qwen },
  );

vscode.scenario(
  "VS Code offers the edits that Gemini CLI, killed in its terminal, has not read the acceptance of",
  async (sandbox, window) => {
    const start = inWindow(window, gemini.name, "Run Gemini CLI");
    const cli = await startConnected(sandbox, gemini, { start });
    await cli.proposeWrite(sandbox.path("note.txt"), "first\nsecond\n");
    const tab = window.tab("note.txt (Gemini CLI)");
    await tab.click();
    const proposal = await lookAt(window);
    await proposal.replace("second", "second, edited");
    await cli.standStill();
    await proposal.accept();
    await tab.waitFor({ state: "detached" });
    await cli.kill();
    await showOwnEdits(window, "second, edited");
    expect(await sandbox.read("note.txt")).toBeUndefined();
    await discardOwnEdits(window, "note.txt");
  },
  { within: 600_000, matrix: true },
);

vscode.scenario(
  "VS Code's command to run a CLI that is not installed says so, types how to install it and leaves Enter to the user, all in one terminal",
  async (sandbox, { page, terminal, command }) => {
    const offer = page
      .locator(".notification-toast")
      .filter({ hasText: "The terminal does not find gemini: Gemini CLI is not installed" });
    const tries = async (count: number) => {
      const screen = await terminal.screen();
      return screen.split("gemini: command not found").length - 1 === count;
    };
    await command("IDE Companion: Run Gemini CLI");
    await offer.getByRole("button", { name: "Install…" }).click();
    await page.getByText("Press Enter in the terminal to install Gemini CLI.").first().waitFor();
    await poll("the command, not run", async () =>
      /npm install --global @google\/gemini-cli$/.test((await terminal.screen()).trim()),
    );
    await terminal.focus();
    await page.keyboard.press("Control+c");
    await command("IDE Companion: Run Gemini CLI");
    await poll("a second try in the same terminal", () => tries(2));

    const own = await sandbox.write("own-gemini", "#!/bin/sh\necho started by its path\n");
    await offer.getByRole("button", { name: "Set its path…" }).click();
    const input = page.locator(".quick-input-widget input[type=text]");
    await input.fill(`sh ${own}`);
    await page.keyboard.press("Enter");
    await poll("the one that was set", async () =>
      (await terminal.screen()).includes("\nstarted by its path"),
    );
    await command("IDE Companion: Show Menu");
    const rows = page.locator(".quick-input-list .monaco-list-row");
    await rows.filter({ hasText: "Run Gemini CLI" }).waitFor();
    const texts = (await rows.allInnerTexts()).join("\n");
    expect(texts).toMatch(/Run Gemini CLI[\s\S]*Not in the PATH[\s\S]*Run Codex CLI/);
    for (const entry of ["Show the history", "Show comments that wait", "Send this file"])
      expect(texts).toContain(entry);
    await rows.filter({ hasText: "Send a text to an agent" }).click();
    await page.getByText("What the agent’s prompt is to hold").waitFor();
    await page.keyboard.press("Escape");
  },
);

vscode.scenario(
  "a reloaded window rejects what was open, offers the edits, and its CLI is back by /ide enable",
  async (sandbox, window) => {
    const path = await sandbox.write("note.txt", "first\nsecond\n");
    await window.open(path);
    const cli = await startConnected(sandbox, gemini);
    const port = await announcedPort(sandbox);
    await cli.proposeReplace(path, "second", "2nd");
    const tab = window.tab("note.txt (Gemini CLI)");
    await tab.click();
    await (await lookAt(window)).replace("2nd", "zwei");
    await window.reload();
    await tab.waitFor({ state: "detached" });
    await window.tab("note.txt").waitFor();
    await window.page.getByRole("button", { name: "Show my edits" }).waitFor();
    // Nobody has answered it: the next window asks again.
    await window.reload();
    await showOwnEdits(window, "zwei");
    await cli.terminal.waitFor(gemini.rejected);
    expect(String(await sandbox.read("note.txt"))).toBe("first\nsecond\n");
    await cli.disconnected();
    expect((await discoveryFiles(sandbox)).filter((file) => file.includes(port))).toEqual([]);
    await cli.reconnected();
    await cli.proposeReplace(path, "second", "2nd");
    await tab.click();
    await (await lookAt(window)).accept();
    await cli.finished();
    expect(String(await sandbox.read("note.txt"))).toBe("first\n2nd\n");
    await window.tab("note.txt (your recovered edits)").click();
    await discardOwnEdits(window, "note.txt");
  },
);

/** The port that Gemini CLI receives. */
async function announcedPort(sandbox: Sandbox): Promise<string> {
  const names = (await discoveryFiles(sandbox)).join("\n");
  const port = /gemini-ide-server-\d+-(\d+)/.exec(names)?.[1];
  if (port === undefined) throw new Error(`no companion is announced: ${names}`);
  return port;
}
