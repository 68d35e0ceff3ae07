import { join } from "node:path";

/** The repository's folder. */
export const repository = join(import.meta.dirname, "..");

/** Absolute path of something in it. */
export const inRepository = (...names) => join(repository, ...names);
