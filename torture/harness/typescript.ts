import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Options of Node that let a process run our sources as they are. */
export const typescript: readonly string[] = [
  "--import",
  pathToFileURL(join(import.meta.dirname, "../typescript.mjs")).href,
];
