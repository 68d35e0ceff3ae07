import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { type AgentKind, type AgentOptions, startAgent } from "./agent-cli.ts";
import type { BrowserOptions } from "./browser.ts";
import { type CompanionOptions, startCompanion } from "./companion.ts";
import { openReviewPage } from "./review-page.ts";

type FixtureOptions = CompanionOptions & Pick<BrowserOptions, "isWhole"> & Pick<AgentOptions, "relaunches">;

/** The usual cast: a companion, its page, and one CLI that is connected. */
export async function startFixture(
  sandbox: Sandbox,
  kind: AgentKind,
  { isWhole = false, relaunches = false, ...options }: FixtureOptions = {},
) {
  const companion = await startCompanion(sandbox, options);
  // They load at the same time.
  const [page, cli] = await Promise.all([
    openReviewPage(sandbox, companion.link, { isWhole }),
    startAgent(sandbox, kind, { relaunches }),
  ]);
  await cli.connected();
  return { companion, page, cli };
}
