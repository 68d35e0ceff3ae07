import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { type Core, startCore } from "../../testing/core.ts";
import { aComment } from "../../testing/memory-editor.ts";
import {
  createSandbox,
  installExecutable,
  type Sandbox,
  start,
  startProgram,
  useExecutable,
} from "../process-fixture.ts";

useExecutable();

interface Fixture {
  readonly sandbox: Sandbox;
  readonly core: Core;
  /** Writes a file of the project. @returns its path */
  write(name: string, content: string | Buffer): string;
  read(name: string): string;
}

/** A project that a companion serves, whose user is the test. */
async function createFixture(): Promise<Fixture> {
  const sandbox = createSandbox();
  const host = { tmp: sandbox.tmp, home: sandbox.home, env: {}, delimiter: path.delimiter };
  const core = await startCore({ host, roots: [sandbox.app] });
  const at = (name: string) => path.join(sandbox.app, name);
  return {
    sandbox,
    core,
    write(name, content) {
      writeFileSync(at(name), content);
      return at(name);
    },
    read: (name) => readFileSync(at(name), "utf8"),
  };
}

/** Waits until the user sees a proposal for the file. */
const shown = ({ core }: Fixture, file: string) => eventually(() => core.editor.find(file));

/** Waits for the one proposal that the user sees. */
const proposed = ({ core }: Pick<Fixture, "core">) =>
  eventually(() => {
    const [diff, ...others] = [...core.editor.diffs.values()];
    if (diff === undefined || others.length > 0) throw new Error(`${core.editor.diffs.size} are shown`);
    return diff.proposal;
  });

describe("diff", () => {
  test("shows both texts, waits, and tells that all of it was accepted", async () => {
    const fixture = await createFixture();
    const file = fixture.write("a.txt", "old\n");
    fixture.write("new.txt", "new\r\n\ttext");
    const run = start(fixture.sandbox, ["diff", "a.txt", "new.txt"]);
    const { proposal } = await shown(fixture, file);
    expect(proposal).toMatchObject({ agent: "ide-companion diff", newContent: "new\r\n\ttext" });
    fixture.core.editor.accept(file);
    expect(await run.end).toBe(0);
    expect(run.text).toBe(`accepted: ${file}\n`);
    expect(fixture.read("a.txt")).toBe("old\n");
    expect(fixture.read("new.txt")).toBe("new\r\n\ttext");
  });

  test("ends with 3 when it was rejected, and writes nothing whatever was asked for", async () => {
    const fixture = await createFixture();
    const file = fixture.write("a.txt", "old\n");
    fixture.write("new.txt", "new\n");
    const run = start(fixture.sandbox, ["diff", "--write", "--output", "out.txt", "a.txt", "new.txt"]);
    await shown(fixture, file);
    fixture.core.editor.reject(file);
    expect(await run.end).toBe(3);
    expect(run.text).toBe(`rejected: ${file}\n`);
    expect(fixture.read("a.txt")).toBe("old\n");
    expect(existsSync(path.join(fixture.sandbox.app, "out.txt"))).toBe(false);
  });

  test("writes what was accepted where it was asked to, byte for byte, and keeps the mode", async () => {
    const fixture = await createFixture();
    const file = fixture.write("a.sh", "old\n");
    execFileSync("chmod", ["754", file]);
    fixture.write("new.txt", "new\n");
    const run = start(fixture.sandbox, ["diff", "-w", "-o", "out.txt", "a.sh", "new.txt"]);
    await shown(fixture, file);
    fixture.core.editor.edit(file, "\uFEFFedited\r\n日本");
    fixture.core.editor.accept(file);
    expect(await run.end).toBe(0);
    expect(run.text).toBe(`accepted, with edits: ${file}\n`);
    expect(fixture.read("a.sh")).toBe("\uFEFFedited\r\n日本");
    expect(fixture.read("out.txt")).toBe("\uFEFFedited\r\n日本");
    expect(statSync(file).mode & 0o777).toBe(0o754);
  });

  test.each([
    ["the line ends and the byte order mark", "\uFEFFone\r\ntwo\r\n", "ONE\ntwo\n", "\uFEFFONE\r\ntwo\r\n"],
    [
      "each line end, where these are mixed,",
      "one\r\ntwo\nthree\r\n",
      "ONE\ntwo\nthree\n",
      "ONE\r\ntwo\nthree\r\n",
    ],
  ])("writes over a file with %s that it has", async (_, before, proposed, after) => {
    const fixture = await createFixture();
    const file = fixture.write("a.txt", before);
    fixture.write("new.txt", proposed);
    const run = start(fixture.sandbox, ["diff", "-w", "-o", "out.txt", "a.txt", "new.txt"]);
    await shown(fixture, file);
    fixture.core.editor.accept(file);
    expect(await run.end).toBe(0);
    expect(fixture.read("a.txt")).toBe(after);
    expect(fixture.read("out.txt")).toBe(proposed);
  });

  test("prints the accepted text alone on standard output when it is asked to", async () => {
    const fixture = await createFixture();
    const file = fixture.write("a.txt", "old\n");
    const run = start(fixture.sandbox, ["diff", "-o", "-", "a.txt", "-"], { stdin: "pipe" });
    const { stdin, stdout, stderr } = run.child;
    if (!stdout || !stderr) throw new Error("it has no pipes");
    const [printed, said] = [text(stdout), text(stderr)];
    stdin?.end("from a pipe");
    await shown(fixture, file);
    fixture.core.editor.accept(file);
    expect(await run.end).toBe(0);
    expect(await printed).toBe("from a pipe");
    expect(await said).toBe(`accepted: ${file}\n`);
  });

  test("keeps the accepted text where nobody reads standard output any more, and says so", async () => {
    const fixture = await createFixture();
    const file = fixture.write("a.txt", "old\n");
    fixture.write("new.txt", "new\n");
    const run = start(fixture.sandbox, ["diff", "-o", "-", "a.txt", "new.txt"]);
    await shown(fixture, file);
    run.child.stdout?.destroy();
    fixture.core.editor.edit(file, "as I want it\n");
    fixture.core.editor.accept(file);
    expect(await run.end).toBe(1);
    const [, kept = ""] =
      /^error: standard output was not written: .*\. The accepted text is kept in (.+)\n/.exec(run.text) ??
      [];
    expect(readFileSync(kept, "utf8")).toBe("as I want it\n");
  });

  test("tells programs in JSON", async () => {
    const fixture = await createFixture();
    const file = fixture.write("a.txt", "old\n");
    fixture.write("new.txt", "new\n");
    const run = start(fixture.sandbox, ["diff", "--json", "a.txt", "new.txt"]);
    await shown(fixture, file);
    fixture.core.editor.edit(file, "");
    fixture.core.editor.accept(file, [aComment]);
    expect(await run.end).toBe(0);
    const { id: _, ...comment } = aComment;
    const comments = [comment];
    expect(JSON.parse(run.text)).toEqual({ outcome: "accepted", file, edited: true, content: "", comments });
  });

  test("prints why the user has rejected it", async () => {
    const fixture = await createFixture();
    const file = fixture.write("a.txt", "old\n");
    fixture.write("new.txt", "new\n");
    const run = start(fixture.sandbox, ["diff", "a.txt", "new.txt"]);
    await shown(fixture, file);
    fixture.core.editor.reject(file, [{ ...aComment, endLine: 2, text: "Why this?\nAnd that?" }]);
    expect(await run.end).toBe(3);
    expect(run.text).toContain("  lines 1–2: Why this?\n    And that?\n");
  });

  test("takes a new file, and one that shall be empty", async () => {
    const fixture = await createFixture();
    fixture.write("new.txt", "new\n");
    const added = start(fixture.sandbox, ["diff", "-o", "made/it.txt", "/dev/null", "new.txt"]);
    const proposal = await proposed(fixture);
    expect(path.basename(proposal.filePath)).toBe("new.txt");
    expect(existsSync(proposal.filePath)).toBe(false);
    fixture.core.editor.accept(proposal.filePath);
    expect(await added.end).toBe(0);
    expect(fixture.read("made/it.txt")).toBe("new\n");
    expect(readdirSync(fixture.sandbox.tmp).filter((name) => name.startsWith("ide-companion-diff"))).toEqual(
      [],
    );

    const file = path.join(fixture.sandbox.app, "new.txt");
    const emptied = start(fixture.sandbox, ["diff", "-w", "new.txt", "/dev/null"]);
    await shown(fixture, file);
    fixture.core.editor.accept(file);
    expect(await emptied.end).toBe(0);
    expect(fixture.read("new.txt")).toBe("");
  });

  test("bothers nobody when there is no difference", async () => {
    const fixture = await createFixture();
    const file = fixture.write("a.txt", "same\n");
    fixture.write("new.txt", "same\n");
    const run = start(fixture.sandbox, ["diff", "a.txt", "new.txt"]);
    expect(await run.end).toBe(0);
    expect(run.text).toBe(`no difference: ${file}\n`);
    expect(fixture.core.events.map(({ kind }) => kind)).not.toContain("session-opened");
  });

  test("withdrawn by Ctrl-C leaves what was typed in the editor", async () => {
    const fixture = await createFixture();
    const file = fixture.write("a.txt", "old\n");
    fixture.write("new.txt", "new\n");
    const run = start(fixture.sandbox, ["diff", "-w", "a.txt", "new.txt"]);
    await shown(fixture, file);
    fixture.core.editor.edit(file, "half done");
    run.child.kill("SIGINT");
    expect(await run.end).toBe(130);
    await eventually(() =>
      expect(fixture.core.editor.closed).toEqual([{ filePath: file, reason: "session-ended" }]),
    );
    await eventually(() =>
      expect(fixture.core.events.find(({ kind }) => kind === "edits-recovered")).toMatchObject({
        edits: { filePath: file, text: "half done" },
      }),
    );
    expect(fixture.read("a.txt")).toBe("old\n");
  });

  test("writes the accepted text together with what has changed in the file before the decision", async () => {
    const fixture = await createFixture();
    const file = fixture.write("a.txt", "1\n2\n3\nold\n");
    fixture.write("new.txt", "1\n2\n3\nnew\n");
    const run = start(fixture.sandbox, ["diff", "-w", "a.txt", "new.txt"]);
    await shown(fixture, file);
    fixture.write("a.txt", "theirs\n2\n3\nold\n");
    fixture.core.editor.accept(file);
    expect(await run.end).toBe(0);
    expect(fixture.read("a.txt")).toBe("theirs\n2\n3\nnew\n");
  });

  test("does not write over what the file becomes after the decision, and keeps the accepted text", async () => {
    const fixture = await createFixture();
    const file = fixture.write("a.txt", "1\n2\n3\nold\n");
    fixture.write("new.txt", "1\n2\n3\nnew\n");
    const run = start(fixture.sandbox, ["diff", "-w", "a.txt", "new.txt"]);
    await shown(fixture, file);
    fixture.core.editor.accept(file);
    fixture.write("a.txt", "theirs\n2\n3\nold\n");
    expect(await run.end).toBe(1);
    expect(fixture.read("a.txt")).toBe("theirs\n2\n3\nold\n");
    const [, kept = ""] =
      /it has changed since the review began\. The accepted text is kept in (.+)\n/.exec(run.text) ?? [];
    expect(readFileSync(kept, "utf8")).toBe("1\n2\n3\nnew\n");
  });

  test("does not write over an empty file that holds no text after the decision", async () => {
    const fixture = await createFixture();
    const file = fixture.write("a.txt", "");
    fixture.write("new.txt", "new\n");
    const run = start(fixture.sandbox, ["diff", "-w", "a.txt", "new.txt"]);
    await shown(fixture, file);
    fixture.core.editor.accept(file);
    writeFileSync(file, Buffer.from([0xff, 0x41]));
    expect(await run.end).toBe(1);
    expect(readFileSync(file)).toEqual(Buffer.from([0xff, 0x41]));
  });

  test("fails when the companion ends before the decision", async () => {
    const fixture = await createFixture();
    const file = fixture.write("a.txt", "old\n");
    fixture.write("new.txt", "new\n");
    const run = start(fixture.sandbox, ["diff", "a.txt", "new.txt"]);
    await shown(fixture, file);
    await fixture.core.companion.close();
    expect(await run.end).toBe(1);
    expect(run.text).toContain("error: the companion");
  });

  test("goes to the companion of the file, wherever it is called from, and says when there is none", async () => {
    const fixture = await createFixture();
    const file = fixture.write("a.txt", "old\n");
    const elsewhere = path.join(fixture.sandbox.folder, "elsewhere");
    mkdirSync(elsewhere);
    writeFileSync(path.join(elsewhere, "new.txt"), "new\n");
    const run = start(fixture.sandbox, ["diff", file, "new.txt"], { cwd: elsewhere });
    await shown(fixture, file);
    fixture.core.editor.accept(file);
    expect(await run.end).toBe(0);

    const lost = start(fixture.sandbox, ["diff", "none.txt", "new.txt"], { cwd: elsewhere });
    expect(await lost.end).toBe(1);
    expect(lost.text).toContain(`no companion serves ${elsewhere}`);
    expect(lost.text).toContain(
      `Start one in another terminal: TMPDIR=${fixture.sandbox.tmp} ide-companion ${elsewhere}`,
    );
  });

  test.each([
    [["a.txt"], "name two files"],
    [["a.txt", "missing.txt"], "there is no file"],
    [["a.txt", "."], "is a folder: diff reviews one file at a time"],
    [[".", "a.txt"], "is a folder: diff reviews one file at a time"],
    [["a.txt", "binary"], "is not UTF-8 text: it cannot be reviewed"],
    [["-w", "/dev/null", "a.txt"], "--write has nothing to write to"],
    [["--json", "-o", "-", "a.txt", "b.txt"], "--json holds the accepted text"],
    [["-o", "pipe", "a.txt", "b.txt"], "is not a regular file: use --output - to print the accepted text"],
    [["-w", "pipe", "a.txt"], "is not a regular file: use --output -"],
    [["-o", ".", "a.txt", "b.txt"], "is a folder: name a file to write to"],
  ])("refuses %j and says why, and does not wait", async (args, message) => {
    const fixture = await createFixture();
    execFileSync("mkfifo", [path.join(fixture.sandbox.app, "pipe")]);
    fixture.write("a.txt", "a\n");
    fixture.write("b.txt", "b\n");
    fixture.write("binary", Buffer.from([0xff, 0xfe, 0x00]));
    const run = start(fixture.sandbox, ["diff", ...args]);
    expect(await run.end).toBe(2);
    expect(run.text).toContain(message);
  });
});

describe("git difftool", () => {
  /** A repository with one file committed, and the tool set up as the documentation says. */
  async function createRepository() {
    const fixture = await createFixture();
    const { sandbox, core } = fixture;
    installExecutable(sandbox);
    const docs = readFileSync(
      path.join(import.meta.dirname, "../../../../../docs/reference/commands.md"),
      "utf8",
    );
    const [, config = ""] = /```gitconfig\n([\s\S]*?)```/.exec(docs) ?? [];
    writeFileSync(
      path.join(sandbox.home, ".gitconfig"),
      `[user]\nname = Ada\nemail = ada@example.org\n${config}`,
    );
    const env = { ...sandbox.env, GIT_CONFIG_NOSYSTEM: "1" };
    const git = (...args: string[]) => execFileSync("git", args, { cwd: sandbox.app, env });
    git("init", "--quiet");
    fixture.write("poem.txt", "roses\n");
    git("add", ".");
    git("commit", "--quiet", "--message", "first");
    const difftool = (...args: string[]) => startProgram(sandbox, "git", ["difftool", ...args], { env });
    return { ...fixture, git, difftool, proposed: () => proposed(fixture), editor: core.editor };
  }

  test("reviews a change of the working tree, where the user's edits land", async () => {
    const { write, read, difftool, proposed, editor } = await createRepository();
    write("poem.txt", "tulips\n");
    const run = difftool();
    const { filePath, newContent } = await proposed();
    expect([path.basename(filePath), readFileSync(filePath, "utf8"), newContent]).toEqual([
      "poem.txt",
      "roses\n",
      "tulips\n",
    ]);
    editor.edit(filePath, "lilies\n");
    editor.accept(filePath);
    expect(await run.end).toBe(0);
    expect(read("poem.txt")).toBe("lilies\n");
  });

  test("reviews a file that was added, and one that was deleted, and leaves both as they are", async () => {
    const { sandbox, write, read, git, difftool, proposed, editor } = await createRepository();
    write("added.txt", "new\n");
    git("add", "added.txt");
    git("rm", "--quiet", "poem.txt");
    const run = difftool("--cached");
    const added = await proposed();
    expect([path.basename(added.filePath), added.newContent]).toEqual(["added.txt", "new\n"]);
    editor.accept(added.filePath);
    await eventually(() => expect(run.text).toContain("accepted"));
    const deleted = await proposed();
    expect([path.basename(deleted.filePath), deleted.newContent]).toEqual(["poem.txt", ""]);
    editor.edit(deleted.filePath, "typed into what is to be deleted");
    editor.accept(deleted.filePath);
    expect(await run.end).toBe(0);
    expect(read("added.txt")).toBe("new\n");
    expect(existsSync(path.join(sandbox.app, "poem.txt"))).toBe(false);
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
  });

  test("stops at a rejection when it is asked to trust exit codes", async () => {
    const { write, read, git, difftool, proposed, editor } = await createRepository();
    write("a.txt", "a\n");
    git("add", ".");
    git("commit", "--quiet", "--message", "second");
    write("a.txt", "A\n");
    write("poem.txt", "tulips\n");
    const run = difftool("--trust-exit-code");
    const { filePath } = await proposed();
    editor.reject(filePath);
    expect(await run.end).not.toBe(0);
    expect(editor.diffs.size).toBe(0);
    expect([read("a.txt"), read("poem.txt")]).toEqual(["A\n", "tulips\n"]);
  });
});
