import { join } from "node:path";
import { writeNotices } from "../../scripts/notices.mjs";
import { buildExtension } from "./build.mjs";

const here = import.meta.dirname;

/** Writes down whose code the extension contains. */
export async function documentNotices() {
  const bundle = { folder: here, metafile: await buildExtension() };
  await writeNotices(join(here, "THIRD-PARTY-NOTICES.md"), "The extension", [bundle]);
}
