import { writeFileSync } from "node:fs";
import http from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { send, type WireClient } from "../../../../testkit/src/fake-cli/gemini-family.ts";
import { startCore } from "../../testing/core.ts";
import { WatchNews, type WatchReport } from "./contract/health.ts";

/** Everything that `/watch` has sent so far. */
function watch({ port, token }: WireClient) {
  let text = "";
  const state = { isOver: false };
  const headers = { authorization: `Bearer ${token}` };
  const request = http.get({ host: "127.0.0.1", port, path: "/watch", headers, agent: false }, (response) => {
    response.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    // A companion that ends cuts its streams.
    response.on("error", () => {});
    response.on("close", () => {
      state.isOver = true;
    });
  });
  onTestFinished(() => void request.destroy());
  const news = () =>
    text
      .split("\n")
      .slice(0, -1)
      .filter((line) => line.startsWith("data: "))
      .map((line) => WatchNews.parse(JSON.parse(line.slice(6))));
  const last = () => news().findLast((one): one is WatchReport => one.kind === "report");
  return { news, last, state };
}

test("a watcher receives the state at once, every change after it, and every decision", async () => {
  const { client, editor, root } = await startCore();
  const cli = client();
  const { news, last } = watch(cli);
  await eventually(() => expect(last()).toMatchObject({ roots: [root], sessions: [], diffs: [] }));

  const file = join(root, "a.ts");
  writeFileSync(file, "x");
  editor.look({ files: [{ path: file, focusedAt: 1, selectedText: "x" }], activePath: file });
  await eventually(() =>
    expect(last()?.context.workspaceState?.openFiles).toMatchObject([{ path: file, selectedText: "x" }]),
  );
  await cli.initialize();
  const stream = await cli.openStream();
  await eventually(() => expect(last()?.sessions).toMatchObject([{ agent: "Gemini CLI", streaming: true }]));
  await cli.call("openDiff", { filePath: file, newContent: "y" });
  await eventually(() => expect(last()?.diffs).toMatchObject([{ filePath: file, agent: "Gemini CLI" }]));
  editor.accept(file);
  await eventually(() => expect(last()?.diffs).toEqual([]));
  expect(news().filter(({ kind }) => kind === "decision")).toMatchObject([
    { filePath: file, agent: "Gemini CLI", outcome: "accepted" },
  ]);
  await stream.close();
  await eventually(() => expect(last()?.sessions).toMatchObject([{ streaming: false }]));
});

test("a watcher is no session, and learns when the companion ends", async () => {
  const { client, companion, events } = await startCore();
  const { last, state } = watch(client());
  await eventually(() => expect(last()).toBeDefined());
  expect(events.map(({ kind }) => kind)).not.toContain("session-opened");
  await companion.close();
  await eventually(() => expect(state.isOver).toBe(true));
});

test("/watch is not for strangers, and answers to GET only", async () => {
  const { client } = await startCore();
  const { port, headers } = client();
  expect((await send(port, { method: "GET", path: "/watch" })).status).toBe(401);
  expect((await send(port, { method: "POST", path: "/watch", headers })).status).toBe(405);
});
