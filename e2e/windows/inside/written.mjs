// Runs on Windows: an agent writes two files and makes one by a command, each within its hooks, and its user decides about
// them. Prints as JSON what came of it.
// `node written.mjs EXECUTABLE`
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { executable, folder, print, run } from "./terminal.mjs";

const [cart, price] = ["cart.txt", "price.txt"].map((name) => join(folder, name));
writeFileSync(cart, "one\r\ntwo\r\nthree\r\n");

const said = [hook("BeforeAgent", { prompt: "Change the cart" })];
write("c:\\my shop\\CART.txt", "ONE\r\ntwo\r\nTHREE\r\n");
write(price, "1\r\n");
said.push(hook("AfterAgent", {}));

const listed = JSON.parse((await run("changes", "--json")).said);
const diff = await run("changes", "diff");
const reverted = await run("changes", "revert", cart, "--yes");
const kept = await run("changes", "keep", price);
const left = JSON.parse((await run("changes", "--json")).said);
const texts = { cart: readFileSync(cart, "utf8"), price: existsSync(price) && readFileSync(price, "utf8") };
print({ said, listed, diff, reverted, kept, left, texts });

/** Calls the hook as Gemini CLI does. @returns what it has said */
function hook(event, more) {
  const input = JSON.stringify({ session_id: "s", hook_event_name: event, cwd: folder, ...more });
  const { status, stdout, stderr } = spawnSync(process.execPath, [executable, "hook", "gemini"], {
    ...{ cwd: folder, input, encoding: "utf8" },
  });
  return `${status}${stdout}${stderr}`;
}

function write(file, text) {
  const call = { tool_name: "write_file", tool_input: { file_path: file, content: text } };
  said.push(hook("BeforeTool", call));
  writeFileSync(file, text);
  said.push(hook("AfterTool", call));
}
