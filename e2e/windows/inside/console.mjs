// Runs on Windows in a terminal: lets the console of a companion send Ctrl+C to everybody in it. Writes as JSON what came
// of it. `node console.mjs EXECUTABLE RESULT NODE`, where NODE has FFI.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { list, serve } from "./terminal.mjs";

const [, , , file, sender] = process.argv;
const send = `
  const { functions } = require("node:ffi").dlopen("kernel32.dll", {
    GenerateConsoleCtrlEvent: { arguments: ["u32", "u32"], return: "i32" },
  });
  const [ctrlC, everybody] = [0, 0];
  functions.GenerateConsoleCtrlEvent(ctrlC, everybody);
`;

process.on("SIGINT", () => {});
const { exit } = await serve();
const files = list().length;
spawn(sender, ["--experimental-ffi", "-e", send], { stdio: "ignore" });
const [code, signal] = await exit;
writeFileSync(file, JSON.stringify({ files, code, signal, left: list() }));
process.exit(0);
