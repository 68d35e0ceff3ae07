import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { z } from "zod";
import { type AgentKind, startConnected } from "../harness/agent-cli.ts";
import { enableIde, promptCodex, startCodex } from "../harness/codex.ts";
import { startCompanion } from "../harness/companion.ts";
import type { EditorKind, OtherVersion } from "../harness/editor.ts";
import { emacs } from "../harness/emacs.ts";
import { startFixture } from "../harness/fixture.ts";
import { gemini } from "../harness/gemini.ts";
import { helix } from "../harness/helix.ts";
import * as installed from "../harness/installed.ts";
import { kakoune } from "../harness/kakoune.ts";
import { neovim } from "../harness/neovim.ts";
import { qwen } from "../harness/qwen.ts";
import { openReviewPage } from "../harness/review-page.ts";
import {
  installVersion,
  newestOf,
  scriptOf,
  type TriedVersion,
  versionScenario,
} from "../harness/seen-versions.ts";
import { vim } from "../harness/vim.ts";
import { startVscode, vscode, vscodeNeeds } from "../harness/vscode.ts";
import { windowEditor } from "../harness/window-editor.ts";

const note = "first\nsecond\nthird\n";
const greeting = 'const who = "sandbox";\nexport const text = "Hello";\n';

type Run = TriedVersion["run"];

/** An agent with the review page. @param script of its CLI */
const agentRun =
  (kind: AgentKind, script: () => Promise<string>): Run =>
  async (sandbox, saw) => {
    const open = await sandbox.write("greeting.ts", greeting);
    const path = await sandbox.write("note.txt", note);
    const command = [kind.command[0] ?? "", await script()];
    const { page, cli } = await startFixture(sandbox, { ...kind, command });
    saw("connects");
    await page.openFile("greeting.ts");
    await page.select("const text");
    await page.contextHolds("const text");
    await cli.say("Describe what you see");
    const { text } = await cli.model.request("Describe what you see");
    expect(text).toContain(open);
    expect(text).toContain("const text");
    saw("context");
    await cli.terminal.waitFor("Done.");
    await cli.proposeReplace(path, "second", "2nd");
    await (await page.proposal("note.txt")).accept();
    await cli.finished();
    expect(String(await sandbox.read("note.txt"))).toBe("first\n2nd\nthird\n");
    saw("accepted");
  };

for (const { kind, name, oldest } of [
  { kind: gemini, name: "@google/gemini-cli", oldest: "0.31.0" },
  { kind: qwen, name: "@qwen-code/qwen-code", oldest: "0.12.0" },
]) {
  const { displayName: program } = kind;
  for (const [role, version] of [
    ["newest", await newestOf(name, "latest")],
    ["oldest", oldest],
  ] as const) {
    const script = async () => scriptOf(await installVersion(name, version));
    versionScenario({ program, role, version, run: agentRun(kind, script) });
  }
}

const codexPackage = "@openai/codex";
/** Its programs are versions of the same package. */
const codexProgram = async (version: string) =>
  join(
    await installVersion(codexPackage, `${version}-linux-x64`),
    "vendor/x86_64-unknown-linux-musl/bin/codex",
  );

for (const [role, version] of [
  ["newest", await newestOf(codexPackage, "0.169.0")],
  ["oldest", "0.169.0"],
] as const) {
  versionScenario({
    ...{ program: "Codex CLI", role, version, has: ["connects", "context"] },
    async run(sandbox, saw) {
      await sandbox.write("greeting.ts", greeting);
      const page = await openReviewPage(sandbox, (await startCompanion(sandbox)).link);
      await page.openFile("greeting.ts");
      await page.select("const text");
      const cli = await startCodex(sandbox, { command: [await codexProgram(version), "--no-daemon"] });
      await enableIde(cli);
      saw("connects");
      expect(await promptCodex(cli, "Describe what you see")).toContain("const text\n");
      saw("context");
    },
  });
}

/** An editor with the Gemini CLI that most tests run. */
const editorRun =
  (kind: EditorKind, other?: OtherVersion): Run =>
  async (sandbox, saw) => {
    const selected = await sandbox.write("selected.txt", "one\ntwo words here\n");
    const path = await sandbox.write("note.txt", note);
    const editor = await kind.start(sandbox, [selected], other);
    const cli = await startConnected(sandbox, gemini);
    saw("connects");
    await editor.select("words");
    await cli.say("Describe what you see");
    const { text } = await cli.model.request("Describe what you see");
    expect(text).toContain(selected);
    expect(text).toContain("words");
    expect(text).not.toContain("two words here");
    saw("context");
    await cli.terminal.waitFor("Done.");
    await editor.open(path);
    await cli.proposeReplace(path, "second", "2nd");
    await (await editor.proposal("note.txt")).accept();
    await cli.finished();
    expect(String(await sandbox.read("note.txt"))).toBe("first\n2nd\nthird\n");
    saw("accepted");
  };

/** What a program prints of its version. */
const printed = (program: string) =>
  /\d+\.\d[\d.]*/.exec(execFileSync(program, ["--version"], { encoding: "utf8" }))?.[0] ?? "unknown";

/** By its changelog: Debian's Kakoune prints none. */
function kakouneVersion(root: string): string {
  const text = gunzipSync(readFileSync(join(root, "usr/share/doc/kakoune/changelog.Debian.gz")));
  return /\(([\d.]+)/.exec(String(text))?.[1] ?? "unknown";
}

const { newerEmacs, newerVim, newerKakoune } = installed;

const olderVscode = windowEditor(
  { name: "VS Code", needs: { ...vscodeNeeds, "code-server": installed.olderCodeServer.script } },
  (sandbox) => startVscode(sandbox, { other: installed.olderCodeServer }),
);

function codeServerVersion(script: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(script, "../../../package.json"), "utf8"));
  return `code-server ${z.object({ version: z.string() }).parse(manifest).version}`;
}

interface Tried {
  readonly kind: EditorKind;
  readonly role: TriedVersion["role"];
  /** The one that most tests run, unless another is named. */
  readonly other?: OtherVersion;
  version(): string;
}

const editors: readonly Tried[] = [
  { kind: neovim, role: "oldest", version: () => printed(installed.neovim) },
  {
    ...{ kind: neovim, role: "newest", version: () => printed(installed.newerNeovim) },
    other: { program: installed.newerNeovim },
  },
  { kind: vim, role: "oldest", version: () => vimVersion(installed.vim) },
  {
    ...{ kind: vim, role: "newest", version: () => vimVersion(newerVim.program, newerVim.env) },
    other: newerVim,
  },
  { kind: emacs, role: "oldest", version: () => printed(installed.emacs) },
  {
    ...{ kind: emacs, role: "newest", version: () => newerEmacs.version },
    other: newerEmacs,
  },
  { kind: kakoune, role: "oldest", version: () => kakouneVersion("/") },
  {
    ...{ kind: kakoune, role: "newest", version: () => kakouneVersion(newerKakoune.root) },
    other: newerKakoune,
  },
  { kind: helix, role: "newest", version: () => printed(installed.helix.program) },
  { kind: olderVscode, role: "oldest", version: () => codeServerVersion(installed.olderCodeServer.script) },
  { kind: vscode, role: "newest", version: () => codeServerVersion(installed.codeServerScript) },
];

/** The release, and the end of the last range of patches that it names. */
function vimVersion(program: string, env = {}): string {
  const text = execFileSync(program, ["--version"], { encoding: "utf8", env: { ...process.env, ...env } });
  const [, patches = "0"] = /Included patches:.*-(\d+)/.exec(text) ?? [];
  return `${/\d+\.\d+/.exec(text)?.[0]}.${patches}`;
}

for (const { kind, role, other, version } of editors) {
  const [[program = "", path = ""] = []] = Object.entries(kind.needs);
  const needs = { ...kind.needs, [program]: other?.program ?? path };
  const { name, within } = kind;
  versionScenario(
    {
      program: name,
      role,
      version: existsSync(needs[program] ?? "") ? version() : "none",
      run: editorRun(kind, other),
    },
    { needs, ...(within !== undefined && { within }) },
  );
}
