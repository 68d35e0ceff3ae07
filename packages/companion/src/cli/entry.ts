#!/usr/bin/env node
import { runHook } from "./hook/hook.ts";

const [command, ...words] = process.argv.slice(2);

// A CLI waits for its hooks: they load nothing of the other commands.
if (command === "hook" && !words[0]?.startsWith("-")) await runHook(words);
else await import("./main.ts");
