import { messageOf } from "../../system/error-message.ts";
import type { Host } from "../../system/host.ts";

/**
 * Opens a link in the user's browser.
 * @param onFailure takes a sentence that says why it was not
 */
export async function openInBrowser(link: string, onFailure: (sentence: string) => void): Promise<void> {
  try {
    const { default: open } = await import("open");
    const browser = await open(link);
    browser.once("exit", (code) => {
      if (code) onFailure(`The browser could not be opened: it ended with ${code}.`);
    });
  } catch (error) {
    onFailure(`The browser could not be opened: ${messageOf(error)}.`);
  }
}

/** Why there can be no browser here that the user sees, as a sentence; undefined when there can be. */
export function whyNoBrowser(platform: NodeJS.Platform, env: Host["env"]): string | undefined {
  if (env.BROWSER) return undefined;
  if (env.CI) return "This is a CI machine, which has no browser.";
  const hasDisplay = Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
  if (env.SSH_CONNECTION && !hasDisplay) {
    return "This is a remote machine: forward the page's port, and open the link at home.";
  }
  const needsDisplay = platform !== "darwin" && platform !== "win32" && !env.WSL_DISTRO_NAME;
  return needsDisplay && !hasDisplay ? "There is no display here." : undefined;
}
