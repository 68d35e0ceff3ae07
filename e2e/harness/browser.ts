import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { browserOptions } from "../../packages/review-ui/browser.mjs";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { patience } from "../../packages/testkit/src/waiting.ts";

/** A real browser with a private profile, which ends with the sandbox. */
export async function startBrowser(
  sandbox: Sandbox,
  viewport: { width: number; height: number },
): Promise<BrowserContext> {
  const profile = join(sandbox.tmp, `browser-${randomUUID()}`);
  const context = await chromium.launchPersistentContext(profile, { ...optionsIn(sandbox), viewport });
  context.setDefaultTimeout(patience);
  sandbox.own({ close: () => context.close() });
  return context;
}

/** A real browser for several users, each of whom gets a context. It ends with the sandbox. */
export async function startSharedBrowser(sandbox: Sandbox): Promise<Browser> {
  const browser = await chromium.launch(optionsIn(sandbox));
  sandbox.own({ close: () => browser.close() });
  return browser;
}

const optionsIn = (sandbox: Sandbox) => ({
  ...browserOptions,
  // Chromium makes a socket there, whose name may have a hundred characters.
  env: { ...sandbox.env, TMPDIR: tmpdir() },
});
