import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { browserOptions, shellOptions } from "../../packages/testkit/src/browser.mjs";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { patience } from "../../packages/testkit/src/waiting.ts";

export interface BrowserOptions {
  readonly viewport: { width: number; height: number };
  /** With all that a user's browser keeps in its profile, which costs twice the start; otherwise Chromium's shell. */
  readonly isWhole?: boolean;
  /** One that runs, of which this is another user. */
  readonly shared?: Browser;
}

/** A real browser with a private profile, which ends with the sandbox. */
export async function startBrowser(
  sandbox: Sandbox,
  { viewport, isWhole = false, shared }: BrowserOptions,
): Promise<BrowserContext> {
  const profile = join(sandbox.tmp, `browser-${randomUUID()}`);
  const options = { ...optionsIn(sandbox, isWhole ? browserOptions : shellOptions), viewport };
  const context = await (shared?.newContext({ viewport }) ??
    chromium.launchPersistentContext(profile, options));
  context.setDefaultTimeout(patience);
  sandbox.own({ close: () => context.close() });
  return context;
}

/** A real browser for several users, each of whom gets a context. It ends with the sandbox. */
export async function startSharedBrowser(sandbox: Sandbox): Promise<Browser> {
  const browser = await chromium.launch(optionsIn(sandbox, shellOptions));
  sandbox.own({ close: () => browser.close() });
  return browser;
}

const optionsIn = (sandbox: Sandbox, options: typeof browserOptions) => ({
  ...options,
  // Chromium makes a socket there, whose name may have a hundred characters.
  env: { ...sandbox.env, TMPDIR: tmpdir() },
});
