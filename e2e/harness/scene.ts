import { type AgentCli, type AgentKind, startAgent } from "./agent-cli.ts";
import { type Companion, type CompanionOptions, startCompanion } from "./companion.ts";
import { openReviewPage, type ReviewPage } from "./review-page.ts";
import type { World } from "./world.ts";

/** The usual cast: a companion, its page, and one CLI that is connected. */
export interface Scene {
  readonly companion: Companion;
  readonly page: ReviewPage;
  readonly cli: AgentCli;
}

export async function startScene(world: World, kind: AgentKind, options?: CompanionOptions): Promise<Scene> {
  const companion = await startCompanion(world, options);
  // They load beside each other.
  const [page, cli] = await Promise.all([openReviewPage(world, companion.link), startAgent(world, kind)]);
  await cli.connected();
  return { companion, page, cli };
}
