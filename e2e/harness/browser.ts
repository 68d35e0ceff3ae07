import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type BrowserContext, chromium } from "playwright-core";
import { browserOptions } from "../../packages/review-ui/browser.mjs";
import { patience } from "./deadline.ts";
import type { World } from "./world.ts";

/** A real browser with a profile of its own, which ends with the world. */
export async function startBrowser(
  world: World,
  viewport: { width: number; height: number },
): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(join(world.tmp, `browser-${randomUUID()}`), {
    ...browserOptions,
    env: world.env,
    viewport,
  });
  context.setDefaultTimeout(patience);
  world.own({ close: () => context.close() });
  return context;
}
