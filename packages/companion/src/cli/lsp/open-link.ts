import type { Host } from "../../agents/index.ts";
import { openInBrowser, whyNoBrowser } from "../review/browser.ts";

/** Opens links in the user's browser, where there is one; nobody is told of it here. */
export function createOpenLink({ env }: Host): (link: string) => Promise<boolean> {
  return async (link) => {
    if (whyNoBrowser(process.platform, env) !== undefined) return false;
    let isOpen = true;
    await openInBrowser(link, () => {
      isOpen = false;
    });
    return isOpen;
  };
}
