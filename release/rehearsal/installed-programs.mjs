import { spawnCompanion } from "../../packages/testkit/src/companion-process.ts";
import { redeem } from "../../packages/testkit/src/page-client.ts";
import { attempt } from "../../scripts/command.mjs";

/**
 * Installs with a package manager and starts what it has installed.
 * @param {import("./rehearsal.mjs").Rehearsal} rehearsal
 * @param {import("./managers.mjs").Manager} manager
 * @returns {Promise<{ version: string, kit: string, page: string }>} what the programs print, and the HTML of the page
 * @throws {Error} when an installation fails, or no page opens
 */
export async function useInstalled(rehearsal, manager) {
  const { folder, env } = await rehearsal.install(manager);
  const line = (program) => manager.run(folder, program);
  const print = async (program, option) => {
    const [first, ...rest] = [...line(program), option];
    const { code, output } = await attempt(first, rest, { cwd: folder, env, quiet: true });
    if (code !== 0) throw new Error(`${program} ${option} ended with ${code}: ${output}`);
    return output;
  };
  return {
    version: (await print("ide-companion", "--version")).trim(),
    kit: await print("ide-companion-conformance", "--help"),
    page: await loadPage([...line("ide-companion"), "--no-open"], { cwd: folder, env }),
  };
}

/**
 * Starts a companion, loads its page as a browser does, and ends it.
 * @param {readonly string[]} line that starts it
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<string>} the HTML
 * @throws {Error} when it ends or prints no link
 */
export async function loadPage([program, script, ...args], options) {
  // A group, so that the end reaches what a package manager has started.
  const companion = spawnCompanion({ program: [program], script, args, ...options, detached: true });
  try {
    const [link] = await companion.says(/http:\/\/127\.0\.0\.1:\d+\/open\S+(?=\s)/);
    const page = await fetch(new URL("/", link), { headers: { cookie: await redeem(link) } });
    if (page.status !== 200) throw new Error(`${page.url} answers ${page.status}`);
    return await page.text();
  } finally {
    if (!companion.hasEnded) process.kill(-companion.pid, "SIGTERM");
    await companion.end;
  }
}
