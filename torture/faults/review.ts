import { startCompanion } from "./companion-process.ts";
import type { Scene } from "./fault.ts";
import { openPage } from "./page.ts";

/** A companion, its page, and a CLI that listens. @param options as those of `startCompanion` */
export async function startReview(scene: Scene, options?: Parameters<typeof startCompanion>[1]) {
  const companion = await startCompanion(scene, options);
  const page = await openPage(scene, companion.link);
  const cli = await companion.client().initialize();
  const stream = await cli.openStream();
  return { companion, page, cli, stream };
}
