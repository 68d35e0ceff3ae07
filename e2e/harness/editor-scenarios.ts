import { existsSync } from "node:fs";
import { expect } from "vitest";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import { type AgentKind, startConnected } from "./agent-cli.ts";
import { discoveryFiles } from "./discovery-files.ts";
import type { Editor, EditorKind } from "./editor.ts";
import { connectFakeClaude } from "./fake-claude.ts";
import { type FakeCli, startFakeCli } from "./fake-cli.ts";
import { gemini } from "./gemini.ts";
import type { Proposer } from "./proposer.ts";
import { qwen } from "./qwen.ts";
import { scenario } from "./scenario.ts";

const scripts = { agent, fake, fakeReview, bytes, returns, environment, together, sweep } as const;

/** What is tried on each commit; the matrix has the rest. */
const onEachCommit = ["fake"] as const;

export interface EditorScenariosOptions {
  /** The CLIs by which reviews and context are tried; Gemini CLI by default. */
  readonly agents?: readonly AgentKind[];
  /** Of the scenarios. */
  readonly only?: readonly (keyof typeof scripts)[];
  /** Adds one where the editor is shared; by default each has a private one. */
  readonly addScenario?: typeof scenario;
}

/** What every editor must do. */
export function editorScenarios(kind: EditorKind, options: EditorScenariosOptions = {}): void {
  const { agents = [gemini], only = onEachCommit, addScenario = scenario } = options;
  const { name, needs, start: _, ...time } = kind;
  const add = (script: keyof typeof scripts, sentence: string, agent: AgentKind = gemini) => {
    if (!only.some((name) => name === script)) return;
    addScenario(sentence, async (sandbox) => void (await scripts[script](sandbox, kind, agent)), {
      needs,
      ...time,
    });
  };
  for (const agent of agents) {
    const reviewed = `changes of ${agent.displayName} are reviewed in ${name}`;
    add("agent", `${reviewed}, and it receives what is open and selected`, agent);
  }
  // Gemini CLI itself refuses a path with a double quote.
  add("bytes", `${name} keeps every byte of a file, whatever it is called`, qwen);
  add(
    "returns",
    `${name} keeps what is typed in a proposal below a carriage return, which ends no line there`,
  );
  add("environment", `${name} leaves unsaved edits alone, and takes new files in new folders`);
  add(
    "fake",
    `${name} keeps every byte of a fake CLI's proposals, closes what is decided there, leaves unsaved edits alone, takes new files in new folders, and reports what is open and selected`,
  );
  add("fakeReview", `changes of a fake CLI are reviewed in ${name}, and it receives what is open`);
  add("together", `two proposals of two CLIs in ${name} each go their own way`);
  add("sweep", `what a killed ${name} has left is swept by the next start`);
}

async function start(sandbox: Sandbox, kind: EditorKind, agent: AgentKind, files: readonly string[]) {
  const editor = await kind.start(sandbox, files);
  return { editor, cli: await startConnected(sandbox, agent) };
}

const note = "first\nsecond\nthird\n";

async function agent(sandbox: Sandbox, kind: EditorKind, agent: AgentKind): Promise<void> {
  const [first, second] = [
    await sandbox.write("first.txt", "one\ntwo words here\n"),
    await sandbox.write("second.txt", "2\n"),
  ];
  const closed = await sandbox.write("closed.txt", "closed\n");
  const { editor, cli } = await start(sandbox, kind, agent, [second]);
  await editor.open(closed);
  await editor.close();
  await editor.open(first);
  await editor.select("words");
  await cli.say("Describe what you see");
  const { text } = await cli.model.request("Describe what you see");
  expect(text).toContain(first);
  expect(text).toContain(second);
  expect(text).not.toContain(closed);
  expect(text).toContain("words");
  expect(text).not.toContain("two words here");
  expect(text).toMatch(/line"?\D{0,4}2\b/i);
  expect(text).toMatch(/character"?\D{0,4}(9|10)\b/i);
  await cli.terminal.waitFor("Done.");
  const path = await sandbox.write("note.txt", note);
  await editor.open(path);
  await reviewIn(sandbox, editor, cli, path);
}

/** @param path of the file that is looked at */
async function reviewIn(sandbox: Sandbox, editor: Editor, cli: Proposer, path: string): Promise<void> {
  await cli.proposeReplace(path, "second", "2nd");
  const accepted = await editor.proposal("note.txt");
  await accepted.replace("2nd", "zwei");
  await accepted.accept();
  await cli.accepted();
  expect(String(await sandbox.read("note.txt"))).toBe("first\nzwei\nthird\n");
  await editor.nothingWaits();

  await cli.proposeReplace(path, "third", "3rd");
  await (await editor.proposal("note.txt")).reject();
  await cli.rejected();
  expect(String(await sandbox.read("note.txt"))).toBe("first\nzwei\nthird\n");
  await editor.nothingWaits();

  await cli.proposeReplace(path, "first", "1st");
  await editor.proposal("note.txt");
  await cli.cancelInTerminal();
  await editor.nothingWaits();
  expect(String(await sandbox.read("note.txt"))).toBe("first\nzwei\nthird\n");
}

const names = ['a b\'s "quoted" [1].txt', "100% #1 😀.txt", "-dash.txt"];
const contents = ["first\r\nold\r\nlast\r\n", "first\nold\nlast", "first\r\nold\r\nlast"];

async function bytes(sandbox: Sandbox, kind: EditorKind, agent: AgentKind): Promise<void> {
  const open = await sandbox.write("open.txt", "open\n");
  const { editor, cli } = await start(sandbox, kind, agent, [open]);
  await keepBytes(sandbox, editor, cli);
}

async function fake(sandbox: Sandbox, kind: EditorKind): Promise<void> {
  const { editor, cli } = await fakeReview(sandbox, kind);
  await keepBytes(sandbox, editor, cli);
  await reportRange(sandbox, editor);
  const edited = await sandbox.write("edited.txt", "first\nsecond\n");
  await editor.open(edited);
  await respectEnvironment(sandbox, editor, cli, edited);
}

async function fakeReview(sandbox: Sandbox, kind: EditorKind) {
  const open = await sandbox.write("open.txt", "open\n");
  const editor: Editor = await kind.start(sandbox, [open]);
  const cli = await startFakeCli(sandbox);
  await reportFiles(sandbox, editor, cli, open);
  const path = await sandbox.write("note.txt", note);
  await editor.open(path);
  await reviewIn(sandbox, editor, cli, path);
  return { editor, cli };
}

/** @param open a file that stays open */
async function reportFiles(sandbox: Sandbox, editor: Editor, cli: FakeCli, open: string): Promise<void> {
  const closed = await sandbox.write("closed.txt", "closed\n");
  await editor.open(closed);
  await editor.close();
  const path = await sandbox.write("active.txt", "active\n");
  await editor.open(path);
  const files = () => cli.context?.workspaceState?.openFiles ?? [];
  const isActive = () => files().some((file) => file.path === path && file.isActive);
  await poll("the active file", isActive, { describe: () => JSON.stringify(files()) });
  expect(files().map((file) => file.path)).toContain(open);
  expect(files().map((file) => file.path)).not.toContain(closed);
}

/** Claude Code alone receives where the selection is: from 0, in UTF-16 units. */
async function reportRange(sandbox: Sandbox, editor: Editor): Promise<void> {
  const path = await sandbox.write("selected.txt", "one\n😀 two words here\n");
  await editor.open(path);
  await editor.select("words");
  const claude = await connectFakeClaude(sandbox);
  const start = { line: 1, character: 7 };
  const selection = { start, end: { line: 1, character: 12 }, isEmpty: false };
  const wanted = expect.objectContaining({ filePath: path, text: "words", selection });
  await poll("range", async () => wanted.asymmetricMatch(claude.sent("selection_changed").at(-1)), {
    describe: async () => JSON.stringify(claude.sent("selection_changed")),
  });
}

async function keepBytes(sandbox: Sandbox, editor: Editor, cli: Proposer): Promise<void> {
  for (const [index, name] of names.entries()) {
    const content = contents[index] ?? "";
    const path = await sandbox.write(name, content);
    await editor.open(path);
    await cli.proposeReplace(path, "old", "new");
    const proposal = await editor.proposal(name);
    await proposal.replace("new", "newer");
    await proposal.accept();
    await cli.accepted();
    expect(String(await sandbox.read(name)), name).toBe(content.replace("old", "newer"));
    await editor.nothingWaits();
  }
}

async function returns(sandbox: Sandbox, kind: EditorKind): Promise<void> {
  const content = "first\rstill first\nold\nlast\n";
  const path = await sandbox.write("returns.txt", content);
  const editor: Editor = await kind.start(sandbox, [path]);
  const cli = await startFakeCli(sandbox);
  await cli.proposeReplace(path, "old", "new");
  const proposal = await editor.proposal("returns.txt");
  await proposal.replace("new", "newer");
  await proposal.accept();
  await cli.finished();
  expect(String(await sandbox.read("returns.txt"))).toBe(content.replace("old", "newer"));
}

async function environment(sandbox: Sandbox, kind: EditorKind, agent: AgentKind): Promise<void> {
  const path = await sandbox.write("edited.txt", "first\nsecond\n");
  const { editor, cli } = await start(sandbox, kind, agent, [path]);
  await respectEnvironment(sandbox, editor, cli, path);
}

async function respectEnvironment(
  sandbox: Sandbox,
  editor: Editor,
  cli: Proposer,
  path: string,
): Promise<void> {
  await editor.typeUnsaved(" and mine");
  await cli.proposeReplace(path, "second", "2nd");
  await (await editor.proposal("edited.txt")).reject();
  await editor.nothingWaits();
  await editor.shows("first and mine");
  expect(String(await sandbox.read("edited.txt"))).toBe("first\nsecond\n");

  await cli.proposeWrite(sandbox.path("new/folder/new.txt"), "new\n");
  const proposal = await editor.proposal("new.txt");
  expect(existsSync(sandbox.path("new"))).toBe(false);
  await proposal.accept();
  await cli.accepted();
  expect(String(await sandbox.read("new/folder/new.txt"))).toBe("new\n");
}

async function together(sandbox: Sandbox, kind: EditorKind): Promise<void> {
  const path = await sandbox.write("open.txt", "open\n");
  const { editor, cli: first } = await start(sandbox, kind, gemini, [path]);
  const second = await startConnected(sandbox, qwen);
  await first.proposeWrite(sandbox.path("gemini.txt"), "of Gemini\n");
  await second.proposeWrite(sandbox.path("qwen.txt"), "of Qwen\n");
  await (await editor.proposal("qwen.txt")).accept();
  await second.finished();
  await (await editor.proposal("gemini.txt")).reject();
  await first.terminal.waitFor(gemini.rejected);
  expect(String(await sandbox.read("qwen.txt"))).toBe("of Qwen\n");
  expect(await sandbox.read("gemini.txt")).toBeUndefined();
  await editor.nothingWaits();
}

async function sweep(sandbox: Sandbox, kind: EditorKind): Promise<void> {
  const path = await sandbox.write("open.txt", "open\n");
  const editor: Editor = await kind.start(sandbox, [path]);
  const stale = await announced(sandbox, editor);
  await editor.kill();
  expect(stale.every((file) => existsSync(file))).toBe(true);
  const next: Editor = await kind.start(sandbox, [path]);
  const left = async () => !stale.some((file) => existsSync(file));
  await poll("sweep", left, { describe: () => seenIn(next) });
  await announced(sandbox, next);
}

/** The discovery files of an editor's companion, which some editors do not wait for. */
function announced(sandbox: Sandbox, editor: Editor): Promise<string[]> {
  const look = async () => {
    const files = await discoveryFiles(sandbox);
    return files.length > 0 ? files : undefined;
  };
  return poll("discovery files", look, { describe: () => seenIn(editor) });
}

const seenIn = ({ terminal }: Editor) => terminal?.screen() ?? "a separate window";
