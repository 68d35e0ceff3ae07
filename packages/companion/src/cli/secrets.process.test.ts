import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { eventually } from "../../../testkit/src/eventually.ts";
import { send, WireClient } from "../../../testkit/src/fake-cli/gemini-family.ts";
import { admitVisitor } from "../frontends/review/testing/visitor.ts";
import {
  createSandbox,
  discoveryFiles,
  type Run,
  type Sandbox,
  serve,
  start,
  useExecutable,
} from "./process-fixture.ts";

useExecutable();

const texts = {
  selected: "SELECTED-by-the-user",
  onDisk: "TEXT-of-the-file",
  proposed: "PROPOSED-by-the-agent",
  edited: "EDITED-by-the-user",
  wrongToken: "WRONG-token-of-somebody",
  malformed: "MALFORMED-message",
};

/** Whatever lets somebody in, read where it is kept. */
function keysOf(sandbox: Sandbox): readonly string[] {
  const tokens = discoveryFiles(sandbox).map((file) => JSON.parse(readFileSync(file, "utf8")).authToken);
  const state = path.join(sandbox.home, ".local", "state", "ide-companion");
  const secrets = readdirSync(state)
    .filter((name) => name.endsWith(".json"))
    .map((name) => JSON.parse(readFileSync(path.join(state, name), "utf8")).secret);
  const keys = [...new Set([...tokens, ...secrets])];
  expect(keys).toHaveLength(4); // one for each of three agents, and the page's
  return keys;
}

/** The command lines of all processes of this machine, which every user of it may read. */
function commandLines(): string {
  const pids = existsSync("/proc") ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)) : [];
  return pids.map((pid) => readIfThere(`/proc/${pid}/cmdline`)).join("\n");
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // it has just ended
  }
}

const frame = (message: object) => {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
};

/** An editor that has the file open, and an agent that asks it for a diff. */
async function useEditor(sandbox: Sandbox, file: string): Promise<Run> {
  const lsp = start(sandbox, ["lsp"], { stdin: "pipe" });
  const uri = `file://${file}`;
  const textDocument = { uri, version: 1, languageId: "x", text: texts.onDisk };
  const params = { processId: process.pid, rootUri: `file://${sandbox.app}`, capabilities: {} };
  lsp.child.stdin?.write(
    frame({ id: 1, method: "initialize", params }) +
      frame({ method: "initialized", params: {} }) +
      frame({ method: "textDocument/didOpen", params: { textDocument } }),
  );
  await lsp.until(/"id":1/);
  return lsp;
}

test("keys and texts are in no log, no command line, no error and no other command's output", async () => {
  const sandbox = createSandbox();
  const file = path.join(sandbox.app, "a.txt");
  writeFileSync(file, texts.onDisk);
  mkdirSync(path.join(sandbox.app, ".git"));
  const review = await serve(sandbox, ["--log-level", "debug"]);
  const keys = keysOf(sandbox);
  const [, link = "", port = ""] = /(http:\S+key=\S+)[\s\S]*Port +(\d+)/.exec(review.text) ?? [];
  const url = new URL("/", link).href;
  const visitor = await admitVisitor({ url, newLink: () => link });
  const page = await visitor.openPage();

  const [discovery = ""] = discoveryFiles(sandbox).filter((name) => name.includes("gemini"));
  const { authToken } = JSON.parse(readFileSync(discovery, "utf8"));
  const cli = await new WireClient(Number(port), authToken).initialize();
  const stream = await cli.openStream();
  const place = { path: file, focusedAt: 1, cursor: { line: 1, character: 1 }, selectedText: texts.selected };
  page.say({ type: "context", files: [place], activePath: file, focused: true });
  await stream.next(({ params }) => JSON.stringify(params).includes(texts.selected));
  await cli.call("openDiff", { filePath: file, newContent: texts.proposed });
  const { proposals } = await page.hear("proposals", (heard) => heard.proposals.length === 1);
  const id = proposals[0]?.id ?? "";
  const answers = [
    await visitor.get(`open?key=${new URL(link).searchParams.get("key")}`),
    await send(Number(port), { headers: { ...cli.headers, authorization: `Bearer ${texts.wrongToken}` } }),
    await send(Number(port), { headers: cli.headers, body: `{"x": ${texts.malformed}}` }),
    await send(Number(port), { headers: cli.headers, body: `${JSON.stringify(texts.malformed)} x` }),
  ].map(({ body }) => body);
  const lsp = await useEditor(sandbox, file);
  const commands = [
    ["status"],
    ["status", "--json"],
    ["doctor", "gemini"],
    ["doctor", "--json"],
    ["nonsense"],
  ];
  const others = commands.map((args) => start(sandbox, args));
  await Promise.all(others.map(({ end }) => end));
  page.say({ type: "diffAccepted", id, revision: 0, content: texts.edited });
  await stream.method("ide/diffAccepted");
  await eventually(() => expect(review.text).toContain("accepted"));
  const lines = commandLines();
  review.child.kill();
  lsp.child.stdin?.end();
  await Promise.all([review, lsp].map(({ end }) => end));

  // Something was said everywhere: silence would prove nothing.
  for (const { text } of [review, lsp, ...others]) expect(text).not.toBe("");
  const everything = [...[review, lsp, ...others].map(({ text }) => text), ...answers, lines].join("\n");
  expect(everything).toMatch(/20 characters selected/);
  const cookie = visitor.cookie.split("=")[1] ?? "";
  const secrets = [...keys, cookie, ...Object.values(texts)];
  expect(secrets.filter((secret) => secret === "" || everything.includes(secret))).toEqual([]);
});
