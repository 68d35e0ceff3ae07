import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "../../packages/testkit/src/listen.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";

const verdaccio = join(import.meta.dirname, "node_modules", "verdaccio", "bin", "verdaccio");

/**
 * Starts an npm registry on 127.0.0.1 that keeps what is published in a folder. Everything else it gets from
 * another registry.
 * @param {string} folder an empty one
 * @param {{ node: string, env: NodeJS.ProcessEnv, behind: string }} how `node` runs it; `behind` is the address of
 *   the other registry
 * @returns {Promise<{ url: string, close(): Promise<void> }>}
 * @throws {Error} when it ends, or does not answer
 */
export async function startRegistry(folder, { node, env, behind }) {
  await mkdir(folder, { recursive: true });
  const everybody = { access: "$all", publish: "$all" };
  const config = {
    storage: join(folder, "storage"),
    auth: { htpasswd: { file: join(folder, "htpasswd") } },
    uplinks: { behind: { url: behind } },
    packages: { "ide-companion*": everybody, "**": { access: "$all", proxy: "behind" } },
    web: { enable: false },
    log: { type: "stdout", level: "warn" },
    max_body_size: "50mb",
  };
  // JSON is YAML.
  const file = join(folder, "config.yaml");
  await writeFile(file, JSON.stringify(config));
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(node, [verdaccio, "--config", file, "--listen", address], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  }
  const ended = once(child, "exit");
  const close = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await ended;
  };
  const url = `http://${address}/`;
  const answer = async () => {
    if (child.exitCode !== null) throw new Error(`the registry has ended:\n${output}`);
    const { ok } = await fetch(new URL("-/ping", url)).catch(() => ({ ok: false }));
    return ok || undefined;
  };
  try {
    await poll(`answer of the registry at ${url}`, answer, { describe: () => output });
  } catch (error) {
    await close();
    throw error;
  }
  return { url, close };
}
