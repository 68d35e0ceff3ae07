import "../scripts/node-version.mjs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildBundles } from "../scripts/build.mjs";
import { setUpToRun } from "../scripts/setup.mjs";
import "./typescript.mjs";

await setUpToRun();
await buildBundles();

const source = (name) => import(pathToFileURL(join(import.meta.dirname, name)).href);
const { exitOnSignals } = await source("exit-on-signals.ts");
const { torture } = await source("command.ts");
const { parts } = await source("parts.ts");
exitOnSignals();
// Explicitly: a companion that does not end would keep this process alive.
process.exit(await torture(process.argv.slice(2), { parts, print: console.log }));
