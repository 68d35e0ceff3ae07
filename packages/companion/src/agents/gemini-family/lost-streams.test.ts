import { expect, test } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { startCore } from "../../testing/core.ts";

test("an outcome waits while the stream is down, and comes exactly once when it is back", async () => {
  const { client, editor, events } = await startCore();
  const cli = await client().initialize();
  const stream = await cli.openStream();
  await cli.call("openDiff", { filePath: "/x/a.ts", newContent: "b" });
  await stream.close();
  await eventually(() => expect(events.map(({ kind }) => kind)).toContain("stream-closed"));
  editor.accept("/x/a.ts");
  const back = await cli.openStream();
  expect((await back.method("ide/diffAccepted")).params).toEqual({ filePath: "/x/a.ts", content: "b" });
  await back.close();
  const again = await cli.openStream({ "last-event-id": back.events.at(-1)?.id ?? "" });
  await again.method("ide/contextUpdate");
  await cli.call("openDiff", { filePath: "/x/b.ts", newContent: "b" });
  editor.reject("/x/b.ts");
  await again.method("ide/diffRejected");
  expect(again.events.map(({ method }) => method)).toEqual(["ide/contextUpdate", "ide/diffRejected"]);
});

test("an outcome lost on its way is sent again to a client that says what it has received", async () => {
  const { client, editor, events } = await startCore();
  const cli = await client().initialize();
  const stream = await cli.openStream();
  const { id = "" } = await stream.method("ide/contextUpdate");
  await cli.call("openDiff", { filePath: "/x/a.ts", newContent: "b" });
  editor.accept("/x/a.ts");
  await eventually(() => expect(events.map(({ kind }) => kind)).toContain("outcome-delivered"));
  await stream.close();
  // As if a proxy had swallowed the outcome: the client has seen the first event only.
  const back = await cli.openStream({ "last-event-id": id });
  expect((await back.method("ide/diffAccepted")).params).toEqual({ filePath: "/x/a.ts", content: "b" });
});

test("a session whose stream is gone for ten seconds is over, and its diffs close", async () => {
  const { client, editor, events } = await startCore();
  const cli = await client().initialize();
  const stream = await cli.openStream();
  await cli.call("openDiff", { filePath: "/x/a.ts", newContent: "b" });
  await stream.close();
  await eventually(() => expect(events.map(({ kind }) => kind)).toContain("session-closed"));
  expect(editor.closed).toEqual([{ filePath: "/x/a.ts", reason: "session-ended" }]);
  expect((await cli.request("tools/list", {})).status).toBe(404);
});
