import { spawn } from "node:child_process";
import { once } from "node:events";
import { attempt } from "../../scripts/command.mjs";

/** How long a companion may take to print its link, in milliseconds. */
const patience = 120_000;

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
export async function loadPage([program, ...args], options) {
  // A group, so that the end reaches what a package manager has started.
  const child = spawn(program, args, { ...options, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const closed = once(child, "close");
  let output = "";
  const { promise: link, resolve, reject } = withResolvers();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
      const [found] = /http:\/\/127\.0\.0\.1:\d+\/open\S+(?=\s)/.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
  }
  closed.then(([code]) => reject(new Error(`${program} has ended with ${code}: ${output}`)), reject);
  const late = setTimeout(() => reject(new Error(`no link within ${patience} ms: ${output}`)), patience);
  try {
    return await follow(await link);
  } finally {
    clearTimeout(late);
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGTERM");
    await closed;
  }
}

/** As `Promise.withResolvers`, which Node 20 lacks. */
function withResolvers() {
  let resolve, reject;
  const promise = new Promise((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** The link gives a cookie and leads to the page. */
async function follow(link) {
  const { headers } = await fetch(link, { redirect: "manual" });
  const cookie = headers.getSetCookie().map((text) => text.split(";")[0]);
  const page = await fetch(new URL(headers.get("location") ?? "", link), {
    headers: { cookie: cookie.join("; ") },
  });
  if (page.status !== 200) throw new Error(`${page.url} answers ${page.status}`);
  return page.text();
}
