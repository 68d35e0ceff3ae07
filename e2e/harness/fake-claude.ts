import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ClaudeClient } from "../../packages/testkit/src/fake-cli/claude-code.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";

/** Finds a companion by its lock file, as Claude Code does, and connects. */
export async function connectFakeClaude(sandbox: Sandbox): Promise<ClaudeClient> {
  const folder = join(sandbox.home, ".claude", "ide");
  const find = async () => (await readdir(folder).catch(() => [])).find((name) => name.endsWith(".lock"));
  const name = await poll("lock file of Claude Code", find);
  const { authToken } = JSON.parse(await readFile(join(folder, name), "utf8"));
  const client = await ClaudeClient.connect({ port: Number.parseInt(name, 10), token: String(authToken) });
  sandbox.own({ close: async () => client.socket.terminate() });
  return client;
}
