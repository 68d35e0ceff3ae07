import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../testkit/src/eventually.ts";
import { EditsStore } from "../core/edits/edits-store.ts";
import { openEditsFolder } from "../core/edits/recovered-edits.ts";
import { openHistoryFolder } from "../core/history/past-decision.ts";
import { hashOf } from "../files/text-hash.ts";
import { type Core, startCore } from "../testing/core.ts";
import { createSandbox, executablePath, type Sandbox, start, useExecutable } from "./process-fixture.ts";

useExecutable();

interface Fixture {
  readonly sandbox: Sandbox;
  readonly core: Core;
  /** Of a file with two lines. */
  readonly file: string;
  /** What a person sees of it. */
  readonly before: string;
  readonly proposed: string;
  /** The user has the change in view. */
  readonly shown: () => unknown;
}

const stateOf = ({ home }: Sandbox, name: string) =>
  path.join(home, ".local", "state", "ide-companion", name);

async function run(sandbox: Sandbox, ...words: string[]) {
  const { end } = start(sandbox, words);
  await end;
}

/** Accepts the change once it is in view. */
async function accept({ core, file, shown }: Fixture) {
  await eventually(() => core.editor.find(file));
  shown();
  // A change of lines that have changed on disk cannot be accepted.
  if (!core.editor.accept(file).taken) core.editor.reject(file);
}

async function rewrite({ sandbox, file, before, proposed }: Fixture, verb: "undo" | "reapply") {
  const texts = verb === "undo" ? { before: proposed, proposed: before } : { before, proposed };
  const about = { id: "00000001", at: 0, agent: "Gemini CLI", filePath: file, code: "accepted" } as const;
  const folder = openHistoryFolder(stateOf(sandbox, "history"));
  folder.write({ ...about, outcome: "accepted", texts }, false);
  await run(sandbox, "history", verb, "--yes");
}

/** Everything of ours that writes a file of the user's. */
const writers: Readonly<Record<string, (fixture: Fixture) => Promise<void>>> = {
  async acceptDiff({ core, file, proposed, shown }) {
    const cli = await core.client().initialize();
    await cli.call("openDiff", { filePath: file, newContent: proposed });
    shown();
    await cli.call("acceptDiff", { filePath: file });
  },
  async "diff --write"(fixture) {
    const { sandbox, proposed } = fixture;
    writeFileSync(path.join(sandbox.tmp, "new"), proposed);
    const ended = run(sandbox, "diff", "--write", fixture.file, path.join(sandbox.tmp, "new"));
    await accept(fixture);
    await ended;
  },
  async "mcp, openDiff with write"(fixture) {
    const { sandbox, file, proposed } = fixture;
    const client = new Client({ name: "agent", version: "1" });
    onTestFinished(() => client.close());
    const [command, args] = [process.execPath, [executablePath(), "mcp"]];
    await client.connect(
      new StdioClientTransport({ command, args, cwd: sandbox.app, env: { ...sandbox.env } }),
    );
    const input = { filePath: file, newContent: proposed, write: true };
    const ended = client.callTool({ name: "openDiff", arguments: input });
    await accept(fixture);
    await ended;
  },
  async "edits restore"({ sandbox, file, before, proposed, shown }) {
    const store = new EditsStore({ folder: openEditsFolder(stateOf(sandbox, "edits")) });
    const about = { filePath: file, agent: "Gemini CLI", reason: "", proposed: "", text: proposed };
    store.add({ ...about, onDisk: hashOf(before) });
    shown();
    await run(sandbox, "edits", "restore");
  },
  "history undo": (fixture) => rewrite(fixture, "undo"),
  "history reapply": (fixture) => rewrite(fixture, "reapply"),
};

/** @param meanwhile what somebody else writes while the user looks at the change */
async function write(name: string, bytes: Buffer, meanwhile?: Buffer): Promise<Buffer> {
  const sandbox = createSandbox();
  const host = { tmp: sandbox.tmp, home: sandbox.home, env: {}, delimiter: path.delimiter };
  const core = await startCore({ host, roots: [sandbox.app] });
  const file = path.join(sandbox.app, "a.txt");
  writeFileSync(file, bytes);
  const before = bytes.toString(bytes[0] === 0xff ? "utf16le" : "utf8");
  const proposed = before.replace("one", "ONE");
  const shown = () => meanwhile && writeFileSync(file, meanwhile);
  await writers[name]?.({ sandbox, core, file, before, proposed, shown });
  return readFileSync(file);
}

describe.each(Object.keys(writers))("%s", (name) => {
  test.each<[string, BufferEncoding, string]>([
    ["UTF-8", "utf8", "é\none\n"],
    ["UTF-8 with a byte order mark and CRLF", "utf8", "\uFEFFé\r\none\r\n"],
    ["UTF-16", "utf16le", "\uFEFFé\r\none\r\n"],
  ])("keeps the encoding of a file in %s", async (_, encoding, text) => {
    const written = await write(name, Buffer.from(text, encoding));
    expect(written).toEqual(Buffer.from(text.replace("one", "ONE"), encoding));
  });

  test("changes no byte of a line that nobody has changed", async () => {
    const written = await write(name, Buffer.from("\xe9\none\n", "latin1"));
    // The history holds no text of such a file, and leaves it alone.
    const one = name.startsWith("history") ? "one" : "ONE";
    expect(written).toEqual(Buffer.from(`\xe9\n${one}\n`, "latin1"));
  });
});

// The commands of the history ask nobody: nothing comes between their look and their write.
const asking = Object.keys(writers).filter((name) => !name.startsWith("history"));

test.each(asking)("%s leaves a file alone that changes meanwhile", async (name) => {
  const theirs = Buffer.from("somebody else's\n");
  expect(await write(name, Buffer.from("one\n"), theirs)).toEqual(theirs);
});
