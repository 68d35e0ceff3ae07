import { once } from "node:events";
import { writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocketServer } from "ws";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { ClaudeClient, claudeLock } from "../../../../testkit/src/fake-cli/claude-code.ts";
import { send } from "../../../../testkit/src/fake-cli/gemini-family.ts";
import { createPathMap } from "../../files/path-map.ts";
import { startCore } from "../../testing/core.ts";
import { startPortRelay, toFinding } from "../../testing/far-machine.ts";
import { createTranslation, startRelay } from "./relay.ts";

const there = "/srv/app";

/** A companion here, and the relay by which CLIs of another machine come. */
async function start() {
  const core = await startCore();
  const { port, token } = claudeLock(core.companion);
  const map = createPathMap([{ here: core.root, there }], path.sep);
  const relayed = await startPortRelay(startRelay, { ...toFinding(core), port }, map);
  const connect = (own = token) => ClaudeClient.connect({ port: relayed, token: own });
  return { ...core, relayed, connect };
}

describe("a CLI on another machine", () => {
  test("has its proposals reviewed here, under the names that its files have here", async () => {
    const { connect, editor, root } = await start();
    const claude = await connect();
    const file = path.join(root, "a.txt");
    writeFileSync(file, "old\n");
    const answer = claude.openDiff(`${there}/a.txt`, "/srv/app is only a text\n");
    const diff = await eventually(() => editor.find(file));
    expect(diff?.text).toBe("/srv/app is only a text\n");
    editor.accept(file);
    expect(await answer).toEqual(["FILE_SAVED", "/srv/app is only a text\n"]);
  });

  test("hears of what the user looks at by the names that it knows, and of nothing else", async () => {
    const { connect, editor, root } = await start();
    const claude = await connect();
    const file = path.join(root, "a.txt");
    writeFileSync(file, "old\n");
    editor.look({ files: [{ path: file, focusedAt: 1, selectedText: "old" }], activePath: file });
    await eventually(() =>
      expect(claude.sent("selection_changed").at(-1)).toMatchObject({
        filePath: `${there}/a.txt`,
        fileUrl: `file://${there}/a.txt`,
        text: "old",
      }),
    );
  });

  test("is refused with another token, and is let go when the companion ends", async () => {
    const { connect, relayed, companion } = await start();
    await expect(connect("wrong")).rejects.toThrow("401");
    const claude = await connect();
    const closed = new Promise((resolve) => claude.socket.once("close", resolve));
    await companion.close();
    await closed;
    await expect(connect()).rejects.toThrow("502");
    expect(relayed).toBeGreaterThan(0);
  });
});

test("a CLI that asks for no WebSocket after all leaves no connection to the companion behind", async () => {
  const companion = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  onTestFinished(() => void companion.close());
  await once(companion, "listening");
  const { port } = companion.address() as AddressInfo;
  const found = { ...toFinding(await startCore()), port };
  const relayed = await startPortRelay(startRelay, found, createPathMap([], "/"));
  const connected = once(companion, "connection");
  const headers = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" };
  const { status } = await send(relayed, {
    method: "GET",
    path: "/",
    headers: { ...headers, "sec-websocket-key": "none" },
  });
  expect(status).toBe(400);
  await connected;
  await eventually(() => expect(companion.clients.size).toBe(0));
});

describe("messages between two machines", () => {
  const start = () =>
    createTranslation(
      createPathMap(
        [
          { here: "/home/ada/app", there },
          { here: "/home/ada/my lib", there: "/srv/ü lib" },
        ],
        "/",
      ),
    );
  const call = (name: string, given: object, id = 1) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name, arguments: given, _meta: { progressToken: 1 } },
  });

  test("name files of diagnostics as they are, not encoded, and leave others out", () => {
    const { toHere, toThere } = start();
    expect(toHere(call("getDiagnostics", { uri: "file:///srv/ü lib/a b.ts" }))).toEqual({
      passed: call("getDiagnostics", { uri: "file:///home/ada/my lib/a b.ts" }),
    });
    const files = (...uris: readonly string[]) => ({
      jsonrpc: "2.0",
      id: 1,
      result: {
        content: [{ type: "text", text: JSON.stringify(uris.map((uri) => ({ uri, diagnostics: [] }))) }],
      },
    });
    const sent = files("file:///home/ada/my lib/a b.ts", "file:///etc/passwd");
    expect(toThere(sent)).toEqual(files("file:///srv/ü lib/a b.ts"));
    // Only the answer of such a call: another one may hold any text.
    expect(toThere(sent)).toEqual(sent);
  });

  test("are answered here where a file lies in no shared folder", () => {
    const { toHere } = start();
    expect(toHere(call("getDiagnostics", { uri: "file:///etc/hosts" }))).toMatchObject({
      answer: { id: 1, result: { content: [{ type: "text", text: "[]" }] } },
    });
    const refused = toHere(call("openDiff", { new_file_path: "/etc/hosts", new_file_contents: "x" }));
    expect(refused).toMatchObject({ answer: { id: 1, result: { isError: true } } });
    expect(refused.passed).toBeUndefined();
  });

  test("clear the selection for a file that the other machine does not have, and mention none of them", () => {
    const { toThere } = start();
    const params = { text: "secret", filePath: "/etc/hosts", fileUrl: "file:///etc/hosts", selection: {} };
    expect(toThere({ method: "selection_changed", params })).toEqual({
      method: "selection_changed",
      params: { text: "", selection: {} },
    });
    expect(toThere({ method: "at_mentioned", params: { filePath: "/etc/hosts" } })).toBeUndefined();
    expect(
      toThere({ method: "at_mentioned", params: { filePath: "/home/ada/app/a", lineStart: 1 } }),
    ).toEqual({
      method: "at_mentioned",
      params: { filePath: "/srv/app/a", lineStart: 1 },
    });
  });
});
