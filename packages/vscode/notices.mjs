import { join } from "node:path";
import { writeNotices } from "../../scripts/notices.mjs";
import { buildExtension } from "./build.mjs";

const here = import.meta.dirname;

/** Writes down whose code the extension contains. */
export async function documentNotices() {
  const bundles = (await buildExtension()).map((metafile) => ({ folder: here, metafile }));
  await writeNotices(join(here, "THIRD-PARTY-NOTICES.md"), "The extension", bundles);
}
