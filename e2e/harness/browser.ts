import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { browserOptions } from "../../packages/review-ui/browser.mjs";
import { patience } from "./deadline.ts";
import type { World } from "./world.ts";

/** A real browser with a profile of its own, which ends with the world. */
export async function startBrowser(
  world: World,
  viewport: { width: number; height: number },
): Promise<BrowserContext> {
  const profile = join(world.tmp, `browser-${randomUUID()}`);
  const context = await chromium.launchPersistentContext(profile, { ...optionsIn(world), viewport });
  context.setDefaultTimeout(patience);
  world.own({ close: () => context.close() });
  return context;
}

/** A real browser for several users, each of whom gets a context. It ends with the world. */
export async function startSharedBrowser(world: World): Promise<Browser> {
  const browser = await chromium.launch(optionsIn(world));
  world.own({ close: () => browser.close() });
  return browser;
}

const optionsIn = (world: World) => ({
  ...browserOptions,
  // Chromium makes a socket there, whose name may have a hundred characters.
  env: { ...world.env, TMPDIR: tmpdir() },
});
