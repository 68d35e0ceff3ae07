import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { CopilotClient } from "../../../../testkit/src/fake-cli/copilot-cli.ts";
import { send } from "../../../../testkit/src/fake-cli/gemini-family.ts";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { createPathMap } from "../../files/path-map.ts";
import { startCore } from "../../testing/core.ts";
import { startFarMachine, toFinding } from "../../testing/far-machine.ts";
import { claudeCodeFamily } from "../claude-code/family.ts";
import { copilotFamily } from "./family.ts";
import { startRelay } from "./relay.ts";

const there = "/srv/my app";

/** A companion here, another machine, and the relay by which CLIs come from there. */
async function start(families = [copilotFamily]) {
  const core = await startCore({ families });
  const far = startFarMachine();
  const relay = await startRelay({
    companion: toFinding(core),
    host: core.host,
    folder: privateFolder(),
    map: createPathMap([{ here: core.root, there }], path.sep),
    onTrouble: () => {},
  });
  onTestFinished(() => relay?.close());
  return { ...core, far, relay };
}

async function startAnnounced() {
  const started = await start();
  await started.relay?.announce(started.far, [there]);
  const [file = ""] = started.far.files.keys();
  const lock = JSON.parse(started.far.files.get(file) ?? "");
  const connect = () => CopilotClient.connect(lock);
  return { ...started, file, lock, connect };
}

test("a CLI on another machine finds a lock of the process there, with the folders there", async () => {
  const { far, file, lock, relay } = await startAnnounced();
  expect(path.dirname(file)).toBe(path.join(far.host.home, ".copilot", "ide"));
  expect(lock).toEqual({
    socketPath: path.join(far.host.tmp, `ide-companion-${far.pid}-forward`, "copilot.sock"),
    scheme: "unix",
    headers: { Authorization: expect.stringMatching(/^Bearer /) },
    pid: far.pid,
    ideName: "Memory",
    timestamp: expect.any(Number),
    workspaceFolders: [there],
  });
  expect(statSync(path.dirname(lock.socketPath)).mode & 0o777).toBe(0o700);
  await relay?.announce(far, [there, "/srv/other"]);
  expect([...far.files.keys()]).toEqual([file]);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
    ...lock,
    workspaceFolders: [there, "/srv/other"],
  });
});

test("a CLI on another machine has its proposals reviewed here, under the names that its files have here", async () => {
  const { connect, editor, root } = await startAnnounced();
  const copilot = await connect();
  const file = path.join(root, "a.txt");
  writeFileSync(file, "old\n");
  const answer = copilot.openDiff(`${there}/a.txt`, `${there} is only a text\n`);
  const diff = await eventually(() => editor.find(file));
  expect(diff?.text).toBe(`${there} is only a text\n`);
  editor.accept(file);
  expect(await answer).toMatchObject({ result: "SAVED", message: expect.stringContaining(`${there}/a.txt`) });
  await expect(copilot.openDiff("/etc/passwd", "x")).rejects.toThrow("/etc/passwd lies outside");
});

test("a CLI on another machine hears of what it has there by its names, and of nothing else", async () => {
  const { connect, editor, root } = await startAnnounced();
  const copilot = await connect();
  const file = path.join(root, "ü #1.txt");
  writeFileSync(file, "old\n");
  const selection = { start: { line: 1, character: 1 }, end: { line: 1, character: 4 } };
  editor.look({ files: [{ path: file, focusedAt: 1, selectedText: root, selection }], activePath: file });
  const named = {
    filePath: `${there}/ü #1.txt`,
    fileUrl: pathToFileURL(`${there}/ü #1.txt`).href,
  };
  await eventually(() =>
    expect(copilot.sent("selection_changed").at(-1)).toMatchObject({ ...named, text: root }),
  );
  expect(await copilot.call("get_selection")).toMatchObject({ ...named, text: root, current: true });

  const outside = path.join(privateFolder(), "secret.txt");
  writeFileSync(outside, "secret\n");
  editor.look({
    files: [{ path: outside, focusedAt: 2, selectedText: "secret", selection }],
    activePath: outside,
  });
  await eventually(() =>
    expect(copilot.sent("selection_changed").at(-1)).toMatchObject({
      ...named,
      text: "",
      selection: { isEmpty: true },
    }),
  );
  expect(await copilot.call("get_selection")).toBeNull();
  expect(JSON.stringify(copilot.heard)).not.toContain("secret");
});

test("references and diagnostics of files on another machine have the names there", async () => {
  const { connect, companion, editor, root } = await startAnnounced();
  const copilot = await connect();
  expect(await companion.send({ mentions: [{ path: path.join(root, "a.txt") }] })).toEqual({
    kind: "sent",
    agent: "Copilot CLI",
  });
  await eventually(() =>
    expect(copilot.sent("add_file_reference")).toMatchObject([{ filePath: `${there}/a.txt` }]),
  );
  expect(await companion.send({ mentions: [{ path: "/etc/passwd" }] })).toEqual({
    kind: "sent",
    agent: "Copilot CLI",
  });
  const wrong = { line: 1, character: 1, message: "wrong", severity: "error" as const };
  editor.diagnostics = [path.join(root, "a.txt"), "/etc/passwd"].map((filePath) => ({ ...wrong, filePath }));
  expect(await copilot.call("get_diagnostics")).toMatchObject([
    { filePath: `${there}/a.txt`, uri: pathToFileURL(`${there}/a.txt`).href },
  ]);
  await copilot.call("get_diagnostics", { uri: pathToFileURL(`${there}/a.txt`).href });
  expect(copilot.sent("add_file_reference")).toHaveLength(1);
});

test("a CLI that goes away takes its diff with it, and nobody is let in without the token", async () => {
  const { connect, editor, root, lock } = await startAnnounced();
  const copilot = await connect();
  copilot.openDiff(`${there}/a.txt`, "new\n").catch(() => {}); // its connection breaks
  await eventually(() => editor.find(path.join(root, "a.txt")));
  copilot.kill();
  await eventually(() => expect(editor.closed).toHaveLength(1));
  expect((await send(lock.socketPath, { body: "{}" })).status).toBe(401);
});

test("a companion that does not serve Copilot CLI is not shared with it", async () => {
  const { relay } = await start([claudeCodeFamily]);
  expect(relay).toBeUndefined();
});
