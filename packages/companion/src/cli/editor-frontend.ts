import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import type { FileOpener } from "../core/editor.ts";
import { combineRules, noRules, type UserRules } from "../core/sharing/exclusion.ts";
import type { StartReviewPage } from "../frontends/lsp/review-fallback.ts";
import type { Host } from "../system/host.ts";
import { version } from "../version.ts";
import type { Invocation } from "./invocation.ts";
import { openInBrowser, whyNoBrowser } from "./review/browser.ts";
import { createLifetime } from "./review/lifetime.ts";
import { readUserConfig } from "./user-config.ts";

/** What this executable gives to every frontend of an editor. */
export function frontendOptions(invocation: Invocation) {
  const { host } = invocation;
  const rules = servingRules(invocation);
  // Loaded for the first proposal that an editor cannot show.
  const startPage: StartReviewPage = async (options) => {
    const { startReviewFrontend } = await import("../frontends/review/review-frontend.ts");
    return startReviewFrontend({ ...pageOptions(invocation), ...options });
  };
  return { host, version, rules, startPage, openLink: createOpenLink(host) };
}

/** What the user allows the agents, as the options of a command that serves them say, and the configuration file. */
export function servingRules({ arguments: given, host }: Invocation): UserRules {
  const options = {
    ...noRules,
    exclude: given.all("exclude"),
    excludeGitIgnored: given.has("exclude-git-ignored"),
    agentAccept: !given.has("no-agent-accept"),
  };
  return combineRules(readUserConfig(host), options);
}

interface Served {
  readonly ended: Promise<number>;
  close(): Promise<void>;
}

/**
 * Until the editor ends it, or a signal does; one that comes during the start counts once that is over.
 * @returns the exit code
 */
export async function serveUntilEnd(starting: Served | Promise<Served>): Promise<number> {
  const lifetime = createLifetime();
  try {
    const frontend = await starting;
    const exitCode = await Promise.race([frontend.ended, lifetime.ended]);
    await frontend.close();
    return exitCode;
  } finally {
    lifetime.close();
  }
}

/** Opens links in the user's browser, where there is one; nothing is printed here. */
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

/** The review page next to the bundled executable, as the library knows its own place; and how its user opens files. */
export function pageOptions({ host, program }: Invocation) {
  const assets = path.join(program, "review");
  const { editorCommand } = readUserConfig(host);
  return {
    ...(existsSync(path.join(assets, "index.html")) && { assets }),
    ...(editorCommand && { opener: createFileOpener(editorCommand) }),
  };
}

/** Opens files by a command of the user's settings. No shell reads it: a path is never more than an argument. */
export function createFileOpener([program = "", ...given]: readonly string[]): FileOpener {
  return {
    name: path.basename(program),
    open: ({ path: file, line = 1 }) =>
      new Promise((resolve, reject) => {
        const values = { file, line: String(line) } as const;
        const fill = (word: string) =>
          word.replace(/\{(file|line)\}/g, (_, name: keyof typeof values) => values[name]);
        const editor = spawn(program, given.map(fill), { detached: true, stdio: "ignore" });
        editor.once("error", reject).once("exit", (code) => {
          if (code) reject(new Error(`it ended with ${code}`));
          else resolve();
        });
        // It may be the editor itself, which the user goes on with.
        setTimeout(resolve, 1000).unref();
        editor.unref();
      }),
  };
}
