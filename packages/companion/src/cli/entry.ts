#!/usr/bin/env node
import { runHook, runSnapshot } from "./hook/hook.ts";

const [command, ...words] = process.argv.slice(2);

// A CLI waits for its hooks: they load nothing of the other commands.
if (command === "hook" && !words[0]?.startsWith("-")) await runHook(words);
else if (command === "hook" && words[0] === "--snapshot") await runSnapshot(words[1] ?? "");
else await import("./main.ts");
