import { join } from "node:path";
import { writeNotices } from "../../scripts/notices.mjs";
import { bundlePage } from "../review-ui/build.mjs";
import { buildExecutable } from "./build.mjs";

const here = import.meta.dirname;

/** Whose code the executable and its page contain. */
export async function readBundles() {
  return [
    { folder: here, metafile: await buildExecutable(undefined, { write: false }) },
    { folder: join(here, "..", "review-ui"), metafile: await bundlePage() },
  ];
}

/** Writes it down, with the licenses. */
export async function documentNotices() {
  const file = join(here, "THIRD-PARTY-NOTICES.md");
  await writeNotices(file, "The executable, with its page,", await readBundles());
}
