// Runs on Windows: starts the executable in a folder of drive C as a user and an editor do, and prints as JSON what
// came of it. `node session.mjs EXECUTABLE`
import { once } from "node:events";
import { get } from "node:http";
import { edit, list, print, run, runIn, serve } from "./terminal.mjs";

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
    started: await run("run", "gemini"),
    lowerCase: await runIn("c:\\my shop", "run", "gemini"),
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
async function editFolder() {
  const editor = await edit("file:///c%3A/My%20Shop");
  const started = await run("run", "gemini");
  return { code: await editor.close(), started };
}
