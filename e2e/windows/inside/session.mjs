// Runs on Windows: starts the executable in a folder of drive C as a user and an editor do, and prints as JSON what
// came of it. `node session.mjs EXECUTABLE`
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { get } from "node:http";
import { edit, folder, list, print, run, runIn, serve, start } from "./terminal.mjs";

print({ version: await run("--version"), ...(await useFromTerminals()), edited: await editFolder() });

/** A user in three terminals: the companion in the first, and commands in the others. */
async function useFromTerminals() {
  const { companion, exit, link } = await serve();
  // Wine refuses the connections of `fetch`.
  const [page] = await once(get(link), "response");
  page.resume();
  const served = {
    page: page.statusCode,
    files: list(),
    status: await run("status"),
    json: await run("env", "--json"),
    cmd: await run("env", "--shell", "cmd"),
    evaluated: await evaluate(),
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

/** What the variables are once cmd has read the lines. */
async function evaluate() {
  const lines = await run("env", "--shell", "cmd");
  writeFileSync("C:\\lines.cmd", lines.said.replaceAll("\n", "\r\n"));
  writeFileSync("C:\\evaluate.cmd", "@echo off\r\ncall C:\\lines.cmd\r\nset\r\n");
  return start("cmd.exe", ["/d", "/c", "C:\\evaluate.cmd"], { cwd: folder });
}

/** An editor that names its folder as many do, and starts the language server. */
async function editFolder() {
  const editor = await edit("file:///c%3A/My%20Shop");
  const env = await run("env", "--shell", "cmd");
  return { code: await editor.close(), env };
}
