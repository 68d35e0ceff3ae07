// Runs on Windows: an agent proposes changes of files by paths of every kind. Prints as JSON what came of each.
// `node paths.mjs EXECUTABLE`
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect, edit, folder, print, run } from "./terminal.mjs";

const deep = join(folder, ...Array.from({ length: 6 }, () => "d".repeat(50)));
mkdirSync(deep, { recursive: true });
writeFileSync(join(folder, "cart.txt"), "old\r\n");

const editor = await edit("file:///c%3A/My%20Shop");
const agent = await connect();
const paths = {
  upper: "C:\\My Shop\\cart.txt",
  lower: "c:\\my shop\\CART.txt",
  slashes: "C:/My Shop/cart.txt",
  prefixed: "\\\\?\\C:\\My Shop\\cart.txt",
  long: join(deep, "long.txt"),
  share: "\\\\fileserver\\shop\\cart.txt",
  prefixedShare: "\\\\?\\UNC\\fileserver\\shop\\cart.txt",
  device: "\\\\.\\C:\\My Shop\\cart.txt",
  con: join(folder, "CON"),
  nul: join(folder, "nul.txt"),
  com: join(folder, "Com1 .tar.gz"),
  stream: join(folder, "a.txt:stream"),
  relative: "cart.txt",
  ofDrive: "C:cart.txt",
};
const shown = {};
for (const [name, path] of Object.entries(paths)) shown[name] = await propose(path, name);
const names = readdirSync(folder).toSorted();
await agent.close();

writeFileSync(join(folder, "proposed.txt"), "mine\r\n");
const written = {
  "other case": await write("c:\\my shop\\CART.txt"),
  "long path": await write(paths.long),
};
print({ shown, names, longest: paths.long.length, written, code: await editor.close() });

/** Shows a change of a file, which the user accepts. */
async function propose(path, text) {
  try {
    const { kind, content } = await agent.openDiff(path, text);
    return `${kind} ${content}`;
  } catch (error) {
    return error.message;
  }
}

/** Has the companion's command write what the user accepts. */
async function write(file) {
  writeFileSync(file, "old\r\n");
  const { code } = await run("diff", "--write", file, "proposed.txt");
  return [code, readFileSync(file, "utf8")];
}
