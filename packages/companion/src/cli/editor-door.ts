import type { Host } from "../agents/index.ts";
import { version } from "../version.ts";
import { bundledAssets } from "./bundled-assets.ts";
import type { Invocation } from "./invocation.ts";
import { openInBrowser, whyNoBrowser } from "./review/browser.ts";
import { createLifetime } from "./review/lifetime.ts";

/** What this executable gives to every door of an editor. */
export function doorOptions({ host, program }: Invocation) {
  return { host, version, ...bundledAssets(program), openLink: createOpenLink(host) };
}

/** Until the editor ends it, or a signal does. @returns the exit code */
export async function serveUntilEnd(door: {
  readonly ended: Promise<number>;
  close(): Promise<void>;
}): Promise<number> {
  const lifetime = createLifetime();
  const exitCode = await Promise.race([door.ended, lifetime.ended]);
  await door.close();
  lifetime.close();
  return exitCode;
}

/** Opens links in the user's browser, where there is one; nobody is told of it here. */
function createOpenLink({ env }: Host): (link: string) => Promise<boolean> {
  return async (link) => {
    if (whyNoBrowser(process.platform, env) !== undefined) return false;
    let isOpen = true;
    await openInBrowser(link, () => {
      isOpen = false;
    });
    return isOpen;
  };
}
