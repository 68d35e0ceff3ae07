// Runs on Windows: the user accepts a change of a file that another program has open. Prints as JSON what came of it.
// `node held-file.mjs EXECUTABLE`
import { fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { accept, edit, folder, print, run } from "./terminal.mjs";

const file = join(folder, "cart.txt");
const holder = (how) => fork(join(import.meta.dirname, "holder.mjs"), [file, how]);

writeFileSync(join(folder, "proposed.txt"), "mine\r\n");
print({
  // A reader, as a virus scanner: it lets go once somebody waits for it.
  reader: await decideWhile("shared", "release"),
  // It lets nobody else read the file either, and lets go a moment later.
  writer: await decideWhile("exclusive", "release"),
  lastingReader: await decideWhile("shared"),
  lastingWriter: await decideWhile("exclusive"),
});

async function decideWhile(how, release) {
  writeFileSync(file, "old\r\n");
  let child;
  const editor = await edit("file:///c%3A/My%20Shop", async (connection, diff) => {
    child = holder(how);
    await once(child, "message");
    const isTried = release && firstTry(how, child);
    await accept(connection, diff);
    await isTried;
  });
  const said = await run("diff", "--write", "cart.txt", "proposed.txt");
  if (child.connected) child.send("release");
  if (child.exitCode === null) await once(child, "exit");
  const kept = /kept in (.+)\n/.exec(said.said)?.[1];
  const now = readFileSync(file, "utf8");
  const editorCode = await editor.close();
  const tidy = !readdirSync(folder).some((name) => name.endsWith(".tmp"));
  return { ...said, now, kept: kept && readFileSync(kept, "utf8"), tidy, editorCode };
}

/** Lets the file go once the companion has found it held: its text lies next to it already, or it waits to read it. */
async function firstTry(how, child) {
  if (how === "exclusive") return child.send("release soon");
  const watcher = watch(folder);
  for await (const [, name] of watcherEvents(watcher)) if (name?.startsWith(".ide-companion-")) break;
  watcher.close();
  child.send("release");
}

async function* watcherEvents(watcher) {
  while (true) yield await once(watcher, "change");
}
