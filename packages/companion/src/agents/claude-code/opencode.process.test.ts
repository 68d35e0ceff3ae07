import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { waitForSnapshots } from "../../../../testkit/src/snapshots.ts";
import {
  createSandbox,
  installExecutable,
  type Sandbox,
  start,
  startProgram,
  useExecutable,
} from "../../cli/process-fixture.ts";
import { ReviewModes } from "../../core/written/review-mode.ts";
import { startCore } from "../../testing/core.ts";
import { aComment } from "../../testing/memory-editor.ts";

useExecutable();

/** Loads the plugin and calls it as opencode does for one prompt that makes its model call a tool. */
const host = `
import { readFileSync, writeFileSync } from "node:fs";
const [, , plugin, called, results, stops] = process.argv;
const { IdeCompanion } = await import(plugin);
const replies = [];
const client = { postSessionIdPermissionsPermissionId: async (reply) => replies.push(reply) };
const hooks = await IdeCompanion({ client, directory: process.cwd() });
const call = (name, input, output) => hooks[name]?.(input, output);
const event = (type, more) => call("event", { event: { type, properties: { sessionID: "s", ...more } } });
await call("chat.message", { sessionID: "s" }, { parts: [{ type: "text", text: "Change it" }] });
await event("session.status", {});
const { tool, args, metadata } = JSON.parse(readFileSync(called, "utf8"));
const said = { tool, sessionID: "s", callID: "c" };
const result = { output: "Edit applied." };
if (stops) setTimeout(() => event("session.idle", {}), Number(stops));
const error = await call("tool.execute.before", said, { args }).catch(({ message }) => message);
if (error === undefined) {
  await event("permission.asked", { id: "p", permission: "edit", metadata });
  if (tool === "edit") {
    const { filePath: file, oldString, newString } = args;
    writeFileSync(file, readFileSync(file, "utf8").replace(oldString, newString));
  }
  await call("tool.execute.after", { ...said, args }, result);
}
await event("session.idle", {});
writeFileSync(results, JSON.stringify({ error, result, replies }));
`;

/** Installs the plugin, and a file that the model edits. */
async function setUp() {
  const sandbox = createSandbox();
  installExecutable(sandbox);
  expect(await command(sandbox, "install", "--yes", "opencode")).toContain("opencode is set up.");
  const file = path.join(sandbox.app, "a.txt");
  writeFileSync(file, "alpha\nbeta\n");
  return { sandbox, file, read: () => readFileSync(file, "utf8") };
}

async function command(sandbox: Sandbox, ...words: readonly string[]): Promise<string> {
  const run = start(sandbox, words);
  expect(await run.end, run.text).toBe(0);
  return run.text;
}

const edit = {
  tool: "edit",
  args: { filePath: "a.txt", oldString: "beta", newString: "BETA" },
  metadata: { filepath: "a.txt" },
};

/** Runs a prompt at a terminal of that name. @returns what opencode has heard of its plugin then */
async function prompt(sandbox: Sandbox, { words = "opencode", stops = "", call = edit as object } = {}) {
  const { folder, home } = sandbox;
  const names = ["host.mjs", "plugin.mjs", "call.json", "results.json"];
  const [script = "", plugin = "", called = "", results = ""] = names.map((name) => path.join(folder, name));
  writeFileSync(script, host);
  writeFileSync(called, JSON.stringify(call));
  writeFileSync(plugin, readFileSync(path.join(home, ".config/opencode/plugins/ide-companion.js")));
  const [program, ...more] = words.split(" ");
  const args = [script, plugin, called, results, stops, ...more].join(" ");
  const line = `bash -c "exec -a ${program} '${process.execPath}' ${args}"`;
  const cli = startProgram(sandbox, "/usr/bin/script", ["-qec", line, "/dev/null"], { ownGroup: true });
  return async () => {
    expect(await cli.end, cli.text).toBe(0);
    waitForSnapshots(home);
    return JSON.parse(readFileSync(results, "utf8"));
  };
}

const undisturbed = { result: { output: "Edit applied." }, replies: [] };

const hasScript = process.platform === "linux" && existsSync("/usr/bin/script");

describe.skipIf(!hasScript)("opencode's plugin", () => {
  test("records a turn, and its agent reads what was reverted with its next edit", async () => {
    const { sandbox, read } = await setUp();
    const changed = async () => JSON.parse(await command(sandbox, "changes", "--json")).turns;
    expect(await (await prompt(sandbox))()).toEqual(undisturbed);
    expect(read()).toBe("alpha\nBETA\n");
    expect(await changed()).toMatchObject([
      { agent: "opencode", title: "Change it", changes: [{ added: 1, removed: 1 }] },
    ]);
    await command(sandbox, "changes", "revert", "--yes", "--comment", "Not this one");
    const { result } = await (await prompt(sandbox))();
    expect(result.output).toMatch(/^Edit applied\.\n\n[\s\S]*Not this one/);
  });

  test.each([
    ["the program is gone", ({ bin }: Sandbox) => rmSync(path.join(bin, "ide-companion"))],
    [
      "the program fails",
      ({ bin }: Sandbox) => writeFileSync(path.join(bin, "ide-companion"), "#!/bin/sh\nexit 3\n"),
    ],
    [
      "it says what is no JSON",
      ({ bin }: Sandbox) => writeFileSync(path.join(bin, "ide-companion"), "#!/bin/sh\necho no\n"),
    ],
    [
      "it cannot be started",
      ({ bin }: Sandbox) => {
        rmSync(path.join(bin, "ide-companion"));
        mkdirSync(path.join(bin, "ide-companion"));
      },
    ],
  ])("lets opencode go on where %s", async (_, breakIt) => {
    const { sandbox, read } = await setUp();
    Object.assign(sandbox.env, { PATH: `${sandbox.bin}:/usr/bin:/bin` });
    breakIt(sandbox);
    expect(await (await prompt(sandbox))()).toEqual(undisturbed);
    expect(read()).toBe("alpha\nBETA\n");
  });
});

describe.skipIf(!hasScript)("opencode waits until its user has decided:", () => {
  async function setUpAsking() {
    const set = await setUp();
    const { tmp, home, app } = set.sandbox;
    const here = { tmp, home, env: {}, delimiter: path.delimiter };
    new ReviewModes(here).set(app, "before");
    return { ...set, ...(await startCore({ host: here, roots: [app] })) };
  }

  test("it writes what was accepted, and asks no more; what was typed, and reads that", async () => {
    const { sandbox, editor, file, read } = await setUpAsking();
    const first = await prompt(sandbox);
    const { proposal } = await eventually(() => editor.find(file));
    expect(proposal).toMatchObject({ agent: "opencode", newContent: "alpha\nBETA\n" });
    expect(read()).toBe("alpha\nbeta\n");
    editor.accept(file);
    const reply = { path: { id: "s", permissionID: "p" }, body: { response: "once" } };
    expect(await first()).toEqual({ ...undisturbed, replies: [reply] });
    expect(read()).toBe("alpha\nBETA\n");
    writeFileSync(file, "beta\n");
    const second = await prompt(sandbox);
    await eventually(() => editor.find(file));
    editor.edit(file, "gamma");
    editor.accept(file);
    expect((await second()).result.output).toContain("The user has changed your text");
    expect(read()).toBe("gamma");
  });

  test.each([
    ["begins with a byte order mark", "\uFEFFbeta\r\n", "\uFEFFgamma\r\n"],
    ["has line ends of both kinds", "alpha\nbeta\r\n", "alpha\ngamma\r\n"],
  ])("what was typed is written exactly where the file %s", async (_, before, after) => {
    const { sandbox, editor, file, read } = await setUpAsking();
    writeFileSync(file, before);
    const held = await prompt(sandbox);
    const { proposal } = await eventually(() => editor.find(file));
    editor.edit(file, proposal.newContent.replace("BETA", "gamma"));
    editor.accept(file);
    expect((await held()).error).toContain("Written with the user's changes");
    expect(read()).toBe(after);
  });

  test("each file of a patch is shown, and it asks no more once all are accepted", async () => {
    const { sandbox, editor, file } = await setUpAsking();
    const [moved, made] = ["sub/b.txt", "c.txt"].map((name) => path.join(sandbox.app, name));
    const lines = [
      "*** Begin Patch",
      "*** Update File: a.txt",
      "*** Move to: sub/b.txt",
      "@@",
      "-beta",
      "+BETA",
    ];
    const patchText = [...lines, "*** Add File: c.txt", "+new", "*** End Patch"].join("\n");
    const files = [{ filePath: file, movePath: moved }, { filePath: made }];
    const metadata = { filepath: "a.txt, c.txt", files };
    const held = await prompt(sandbox, { call: { tool: "apply_patch", args: { patchText }, metadata } });
    for (const [name = "", text] of [
      [file, ""],
      [moved, "alpha\nBETA\n"],
      [made, "new\n"],
    ]) {
      const { proposal } = await eventually(() => editor.find(name));
      expect(proposal.newContent).toBe(text);
      editor.accept(name);
    }
    expect((await held()).replies).toMatchObject([{ body: { response: "once" } }]);
  });

  test("it does not write what was rejected, and reads why", async () => {
    const { sandbox, editor, file, read } = await setUpAsking();
    const held = await prompt(sandbox);
    const { change } = await eventually(() => editor.find(file));
    change.decide({ kind: "rejected", comments: [aComment] });
    expect((await held()).error).toMatch(/Rejected, and not written: a\.txt\.[\s\S]*Why this\?/);
    expect(read()).toBe("alpha\nbeta\n");
  });

  test("it does not write after its user has stopped the turn, and the change is closed", async () => {
    const { sandbox, editor, file, read } = await setUpAsking();
    const held = await prompt(sandbox, { stops: "3000" });
    await eventually(() => editor.find(file));
    expect(await held()).toMatchObject({ error: "The user has stopped this." });
    await eventually(() => expect(editor.diffs.size).toBe(0));
    expect(read()).toBe("alpha\nbeta\n");
  });
});
