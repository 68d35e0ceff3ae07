// Runs on Windows: starts the executable in a folder of drive C as a user and an editor do, and prints as JSON what
// came of it. `node session.mjs EXECUTABLE`
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync } from "node:fs";
import { get } from "node:http";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";

// On the drive that this is started on, wherever it is used.
const executable = resolve(process.argv[2] ?? "");
const folder = "C:\\My Shop";
mkdirSync(folder, { recursive: true });

const found = [
  join(tmpdir(), "gemini", "ide"),
  join(homedir(), ".qwen", "ide"),
  join(homedir(), ".claude", "ide"),
  join(homedir(), ".copilot", "ide"),
];

const served = await serve();
console.log(JSON.stringify({ version: await run("--version"), ...served, edited: await edit() }));

/** A user in three terminals: the companion in the first, and commands in the others. */
async function serve() {
  const companion = spawn(process.execPath, [executable, "--no-open"], { cwd: folder });
  const exit = once(companion, "exit");
  const link = await linkOf(companion);
  // Wine refuses the connections of `fetch`.
  const [page] = await once(get(link), "response");
  page.resume();
  const served = {
    page: page.statusCode,
    files: list(),
    status: await run("status"),
    cmd: await run("env", "--shell", "cmd"),
    powershell: await run("env", "--shell", "powershell"),
    lowerCase: await runIn("c:\\my shop", "env", "--shell", "cmd"),
    doctor: await run("doctor", "gemini"),
    claude: await run("doctor", "claude"),
    copilot: await run("doctor", "copilot"),
    codex: await run("doctor", "codex"),
  };
  companion.stdin.end();
  const [code] = await exit;
  return { ...served, code, left: list() };
}

/** An editor that names its folder as many do, and starts the language server. */
async function edit() {
  const server = spawn(process.execPath, [executable, "lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  const exit = once(server, "exit");
  const connection = createMessageConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  connection.listen();
  const workspaceFolders = [{ uri: "file:///c%3A/My%20Shop", name: "shop" }];
  await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri: null,
    capabilities: {},
    workspaceFolders,
  });
  await connection.sendNotification("initialized", {});
  const env = await run("env", "--shell", "cmd");
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  const [code] = await exit;
  connection.dispose();
  return { code, env };
}

function run(...args) {
  return runIn(folder, ...args);
}

function runIn(cwd, ...args) {
  return new Promise((settle) => {
    execFile(process.execPath, [executable, ...args], { cwd }, (error, stdout, stderr) =>
      settle({ code: error?.code ?? 0, said: `${stdout}${stderr}` }),
    );
  });
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

/** What CLIs find. */
function list() {
  return found.flatMap((each) => {
    try {
      return readdirSync(each).map((name) => join(each, name));
    } catch {
      return [];
    }
  });
}
