import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's folder. */
export const repository = join(import.meta.dirname, "..");

/** Absolute path of something in it. */
export const inRepository = (...names) => join(repository, ...names);

/** Whether a module is the one that Node was started with. @param {ImportMeta} meta its own */
export const isMain = ({ url }) => process.argv[1] === fileURLToPath(url);
