import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildBundles } from "../scripts/build.mjs";
import { setUpToRun } from "../scripts/setup.mjs";
import "./typescript.mjs";

await setUpToRun();
await buildBundles();

const { torture } = await import(pathToFileURL(join(import.meta.dirname, "command.ts")).href);
const { parts } = await import(pathToFileURL(join(import.meta.dirname, "parts.ts")).href);
process.exitCode = await torture(process.argv.slice(2), { parts, print: console.log });
