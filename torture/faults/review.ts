import { startCompanion } from "./companion-process.ts";
import type { Fixture } from "./fault.ts";
import { openPage } from "./page.ts";

/** A companion, its page, and a CLI that listens. @param options as those of `startCompanion` */
export async function startReview(fixture: Fixture, options?: Parameters<typeof startCompanion>[1]) {
  const companion = await startCompanion(fixture, options);
  const page = await openPage(fixture, companion.link);
  const cli = await companion.client().initialize();
  const stream = await cli.openStream();
  return { companion, page, cli, stream };
}
