import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { toFileUri } from "./file-uri.ts";
import { createLspClient, type LspClient } from "./testing/lsp-client.ts";
import { fullCapabilities, startPlainClient } from "./testing/plain-client.ts";

/** Clears the screen, names the window, forges a line of the log, turns the reading direction. */
const hostile = "a\x1b[2J\x1b]0;mine\x07\naccepted: b\u202Etxt.ts";

/** Everything that people read of what the frontend has sent, in one string. */
function readByPeople({ reported }: LspClient): string {
  const texts = reported.map(({ method, params }) => {
    if (method === "window/showMessage" || method === "window/logMessage") return [params.message];
    if (method === "companion/openDiff") return [params.label];
    if (method === "companion/news") return [Object(params.row).label];
    return [];
  });
  return texts.flat().join("\n");
}

const controls = /[\p{Cc}\p{Cf}]/u;

async function proposeAs(client: LspClient, title: string, filePath: string) {
  const agent = await client.agent();
  agent.sessionId = "";
  await agent.request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: { experimental: { ideCompanion: { version: 1 } } },
    clientInfo: { name: "other", title, version: "1" },
  });
  await agent.openStream();
  return agent.call("openDiff", { filePath, newContent: "new\n" });
}

test("hostile names of files and agents are one harmless line in log and messages", async () => {
  const client = await startPlainClient({ name: "helix", capabilities: fullCapabilities });
  const filePath = join(client.root, hostile);
  writeFileSync(filePath, "old \x1b[2J\u202E\n");
  await proposeAs(client, hostile, filePath);
  const { message } = await client.hears("window/logMessage", ({ message: said }) =>
    String(said).includes("proposes"),
  );
  expect(message).toContain("a\\x1b[2J\\x1b]0;mine\\x07\\naccepted: b\\u{202e}txt.ts: proposes");
  const uri = toFileUri(client.shown[0] ?? "");
  const position = { line: 0, character: 0 };
  const hover = client.connection.sendRequest("textDocument/hover", { textDocument: { uri }, position });
  expect(JSON.stringify(await hover)).toContain("old \\\\x1b[2J\\\\u{202e}");
  for (const text of readByPeople(client).split("\n")) expect(text).not.toMatch(controls);
});

test("a plugin receives a label that neither hides nor steers, and the path as it is", async () => {
  const client = createLspClient();
  const asked: { label: string; filePath: string; agent: string }[] = [];
  client.connection.onRequest("companion/openDiff", (params) => {
    asked.push(params);
    return null;
  });
  await client.start({ capabilities: { experimental: { ideCompanion: { version: 1 } } } });
  const filePath = join(client.root, hostile);
  await proposeAs(client, hostile, filePath);
  expect(asked).toMatchObject([{ filePath }]);
  expect(asked[0]?.label).toBe("a⟨001B⟩[2J⟨001B⟩]0;mine⟨0007⟩⟨000A⟩accepted: b⟨202E⟩txt.ts");
  expect(asked[0]?.agent).not.toMatch(controls);
});

test("a text that would steer Helix' terminal is shown in the review page, and its name harmlessly", async () => {
  const client = await startPlainClient({ name: "helix" });
  const agent = await client.agent();
  const propose = (name: string, newContent: string) =>
    agent.call("openDiff", { filePath: join(client.root, name), newContent });
  await propose("a.txt", "a\x1b]52;c;bWluZQ==\x07\n");
  await client.hears("window/showMessage", ({ message }) =>
    /^http:\S+ is for review: /.test(String(message)),
  );
  expect(client.shown).toEqual([]);
  await propose("b\x1b[2J\\c.txt", "as usual\n");
  await eventually(() => expect(client.shown).toHaveLength(1));
  expect(client.shown[0]).toMatch(/b⟨001B⟩\[2J\\c\.txt$/);
  // Not the harmless end of it alone.
  await client.hears("window/showMessage", ({ message }) =>
    String(message).includes("proposes b⟨001B⟩[2J\\c.txt"),
  );
});
