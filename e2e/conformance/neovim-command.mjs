// The conformance kit's editor command for Neovim: `node neovim-command.mjs NVIM ACTION …`.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

const [program = "nvim", action = "", ...args] = process.argv.slice(2);
const socket = join(process.env.CONFORMANCE_FOLDER ?? "", "nvim");
const driver = join(import.meta.dirname, "neovim.lua");

const { ok, said } = await perform(action, args);
while (ok && action === "sweep" && (await perform("sweeping", [])).said === "yes") await delay(50);
if (ok) process.stdout.write(said);
else console.error(said);
process.exitCode = ok ? 0 : 1;

async function perform(name, words) {
  const quoted = (text) => `'${text.replaceAll("'", "''")}'`;
  const call = `json_encode(luaeval('dofile(_A[1])(_A[2], vim.json.decode(_A[3]))', [${[driver, name, JSON.stringify(words)].map(quoted).join(", ")}]))`;
  const { stdout } = await promisify(execFile)(program, ["--server", socket, "--remote-expr", call]);
  return JSON.parse(stdout);
}
