// What the scripts of this folder share, all of which run on Windows: programs that a user or an editor starts.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import { connectCompanion } from "../../../packages/companion/dist/client/index.js";

/** On the drive that the script is started on, wherever it is used. */
export const executable = resolve(process.argv[2] ?? "");
export const folder = "C:\\My Shop";
mkdirSync(folder, { recursive: true });

/** What has happened, for a test to read. */
export const print = (result) => console.log(JSON.stringify(result));

export const run = (...args) => runIn(folder, ...args);

/** Runs a command of the executable to its end. */
export const runIn = (cwd, ...args) => start(process.execPath, [executable, ...args], { cwd });

/** Runs a program to its end. */
export function start(program, args, options) {
  return new Promise((settle) => {
    execFile(program, args, options, (error, stdout, stderr) =>
      settle({ code: error?.code ?? 0, said: `${stdout}${stderr}` }),
    );
  });
}

/** The review page, in the first terminal of a user. */
export async function serve(options = {}) {
  const companion = spawn(process.execPath, [executable, "--no-open"], { cwd: folder, ...options });
  const exit = once(companion, "exit");
  return { companion, exit, link: await linkOf(companion) };
}

/** The page's link, once it is printed. */
async function linkOf(companion) {
  let printed = "";
  for await (const part of companion.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    printed += part;
    const link = /http:\/\/\S+\/open\?key=\S+(?=\s)/.exec(printed)?.[0];
    if (link !== undefined && /Restart one/.test(printed)) return link;
  }
  throw new Error(`the companion has ended: ${printed}${await text(companion.stderr)}`);
}

const found = [
  join(tmpdir(), "gemini", "ide"),
  join(homedir(), ".qwen", "ide"),
  join(homedir(), ".claude", "ide"),
  join(homedir(), ".copilot", "ide"),
];

/** What CLIs find. */
export function list() {
  return found.flatMap((each) => {
    try {
      return readdirSync(each).map((name) => join(each, name));
    } catch {
      return [];
    }
  });
}

/**
 * An editor with our plugin, and the language server that it has started. Its user accepts each proposal as it is,
 * unless `decide` does something else.
 */
export async function edit(uri, decide = accept) {
  const server = spawn(process.execPath, [executable, "lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  const exit = once(server, "exit");
  const connection = createMessageConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  connection.onRequest("companion/openDiff", (diff) => {
    void decide(connection, diff);
    return null;
  });
  connection.onRequest("companion/closeDiff", () => ({ content: "" }));
  const announced = new Promise((resolve) => connection.onNotification("companion/status", resolve));
  connection.listen();
  await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri: null,
    capabilities: { experimental: { ideCompanion: { version: 1 } } },
    workspaceFolders: [{ uri, name: "shop" }],
  });
  await connection.sendNotification("initialized", {});
  await announced;
  return {
    async close() {
      await connection.sendRequest("shutdown");
      await connection.sendNotification("exit");
      const [code] = await exit;
      connection.dispose();
      return code;
    },
  };
}

export const accept = (connection, { id, newContent }) =>
  connection.sendRequest("companion/diffAccepted", { id, content: newContent });

/** An agent that has found the only companion here. */
export function connect() {
  const [file] = list();
  const { port, authToken } = JSON.parse(readFileSync(file, "utf8"));
  return connectCompanion({ port: Number(port), token: authToken });
}
