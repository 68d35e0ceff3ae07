import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { WebSocket } from "ws";
import { proposals } from "./sample.mjs";
import "../../torture/typescript.mjs";

const patience = 20_000;

/**
 * What Claude Code would propose, without it and its model.
 * @param {Record<string, string>} env @param {string} shop folder of the sample
 */
export async function proposeAsClaude({ HOME }, shop) {
  const { name: lock, authToken } = await announced(join(HOME, ".claude", "ide"), ".lock");
  const headers = { "x-claude-code-ide-authorization": authToken };
  const socket = new WebSocket(`ws://127.0.0.1:${Number.parseInt(lock, 10)}`, ["mcp"], { headers });
  await once(socket, "open");
  let id = 0;
  const call = (method, params) => socket.send(JSON.stringify({ jsonrpc: "2.0", id: id++, method, params }));
  const clientInfo = { name: "claude-code", title: "Claude Code", version: "2.1.332" };
  call("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  const [, name, content] = proposals[0];
  const path = join(shop, name);
  call("tools/call", {
    name: "openDiff",
    arguments: { old_file_path: path, new_file_path: path, new_file_contents: content, tab_name: name },
  });
  return { close: () => socket.terminate() };
}

/** What Copilot CLI would propose, without it and its model. */
export async function proposeAsCopilot({ HOME }, shop) {
  const { CopilotClient } = await import("../../packages/testkit/src/fake-cli/copilot-cli.ts");
  const lock = await announced(join(HOME, ".copilot", "ide"), ".lock");
  const client = new CopilotClient(lock, undefined, () => {});
  await client.initialize();
  await client.openStream();
  const [, name, content] = proposals[0];
  // Nobody decides: the picture is all we want.
  client.openDiff(join(shop, name), content, `[Copilot CLI] - ${name}`).catch(() => {});
  return { close: () => client.kill() };
}

/** What Gemini CLI would propose, without it and its model. */
export async function proposeAsGemini({ TMPDIR }, shop) {
  const { connectCompanion } = await import("../../packages/companion/dist/client/index.js");
  const { port, authToken: token } = await announced(join(TMPDIR, "gemini", "ide"), ".json");
  const clientInfo = { name: "gemini-cli", title: "Gemini CLI", version: "0.61.0" };
  const client = await connectCompanion({ port, token, clientInfo });
  const [, name, content] = proposals[0];
  client.openDiff(join(shop, name), content).catch(() => {}); // as above
  return client;
}

/** @returns what the companion's first discovery file in a folder says, and the file's name */
async function announced(folder, ending) {
  const deadline = Date.now() + patience;
  for (;;) {
    const names = await readdir(folder).catch(() => []); // not made yet
    const name = names.find((candidate) => candidate.endsWith(ending) && !candidate.startsWith("."));
    if (name !== undefined) return { name, ...JSON.parse(await readFile(join(folder, name), "utf8")) };
    if (Date.now() > deadline) throw new Error(`no companion has announced itself in ${folder}`);
    await delay(50);
  }
}
