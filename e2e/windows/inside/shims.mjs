// Runs on Windows: the executable and an agent's CLI as npm installs them, by the files that it makes for cmd. Prints as
// JSON what came of it. `node shims.mjs EXECUTABLE CMD-SHIM`, where CMD-SHIM is the part of npm that makes them.
import { copyFileSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { edit, executable, folder, print, start } from "./terminal.mjs";

const bin = "C:\\npm";
const { default: makeShim } = await import(pathToFileURL(resolve(process.argv[3])).href);
mkdirSync(bin, { recursive: true });
writeFileSync(
  join(bin, "gemini.js"),
  `#!/usr/bin/env node
   const { GEMINI_CLI_IDE_WORKSPACE_PATH: folder } = process.env;
   console.log(JSON.stringify({ given: process.argv.slice(2), folder }));
   process.exitCode = 7;`,
);
// A shim and its program lie on one drive.
const installed = join(bin, "node_modules", "ide-companion");
cpSync(dirname(executable), join(installed, "dist"), {
  recursive: true,
  filter: (path) => !/\.(map|d\.ts)$/.test(path),
});
copyFileSync(join(dirname(executable), "../package.json"), join(installed, "package.json"));
await makeShim(join(installed, "dist", "ide-companion.js"), join(bin, "ide-companion"));
await makeShim(join(bin, "gemini.js"), join(bin, "gemini"));

const env = { ...process.env, PATH: [bin, dirname(process.execPath), process.env.PATH].join(";") };
const inCmd = (...words) => start("cmd.exe", ["/d", "/c", ...words], { cwd: folder, env });

const words = ["two words", "50%", "a&b", "c:\\"];

const editor = await edit("file:///c%3A/My%20Shop");
print({
  version: await inCmd("ide-companion", "--version"),
  started: await start(process.execPath, [executable, "run", "gemini", "--", ...words], { cwd: folder, env }),
  code: await editor.close(),
});
