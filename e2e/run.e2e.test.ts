import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { type AgentKind, startAgent, writeSettings } from "./harness/agent-cli.ts";
import { chain } from "./harness/chain.ts";
import { startCompanion } from "./harness/companion.ts";
import { poll } from "./harness/deadline.ts";
import { gemini } from "./harness/gemini.ts";
import { companionScript } from "./harness/installed.ts";
import { startModel } from "./harness/model.ts";
import { pathTo } from "./harness/path-to.ts";
import { startPlainPty } from "./harness/plain-pty.ts";
import { qwen } from "./harness/qwen.ts";
import { openReviewPage } from "./harness/review-page.ts";
import type { World } from "./harness/world.ts";

for (const kind of [gemini, qwen]) {
  chain(`run ${kind.name} in tmux, in a subfolder, opens its diffs in the page`, async (world) => {
    const companion = await startCompanion(world);
    const page = await openReviewPage(world, companion.link);
    await mkdir(world.path("deep/down"), { recursive: true });
    const cli = await startByRun(world, kind, world.path("deep/down"));
    await cli.proposeWrite(world.path("deep/down/note.txt"), "deep\n");
    await (await page.proposal("note.txt")).accept();
    await cli.finished();
    expect(String(await world.read("deep/down/note.txt"))).toBe("deep\n");
  });
}

chain("run gemini connects in a folder that is reached by a symlink", async (world) => {
  await startCompanion(world);
  await mkdir(world.path("real"));
  await symlink(world.path("real"), join(world.home, "link"));
  await startByRun(world, gemini, join(world.home, "link"));
});

chain("run gemini connects in the second folder of a companion with two", async (world) => {
  const [first, second] = [world.path("first"), world.path("second")];
  await mkdir(first);
  await mkdir(second);
  await startCompanion(world, { args: [first, second] });
  await startByRun(world, gemini, second);
});

chain("run gemini connects from a plain terminal", async (world) => {
  await startCompanion(world);
  const model = await startModel(world);
  await writeSettings(world, gemini, []);
  const terminal = await startPlainPty(world, `${process.execPath} ${companionScript} run gemini`, {
    cwd: world.workspace,
    env: { ...gemini.env(model), ...(await pathTo(world, gemini)), SSH_CONNECTION: "" },
  });
  await terminal.waitFor("Type your message");
  // While it connects it says so once, and must be asked again.
  await poll("status Connected to", async () => {
    terminal.type("\x15"); // C-u: a part of what was typed before may be left
    terminal.type("/ide status");
    const typed = await terminal.waitFor("/ide status", { within: 10_000 }).catch(() => undefined);
    if (typed === undefined) return undefined; // lost: once more
    terminal.type("\r");
    const answer = terminal.waitFor(/Connected to|Connecting|Disconnected/, { within: 10_000 });
    return (await answer.catch(() => undefined)) === "Connected to" || undefined; // none: ask again
  });
});

/** Starts a CLI as `ide-companion run` does, with nothing that helps it to find its companion. */
async function startByRun(world: World, kind: AgentKind, cwd: string) {
  const cli = await startAgent(world, kind, {
    cwd,
    command: [process.execPath, companionScript, "run", kind.name],
    env: { ...(await pathTo(world, kind)), SSH_CONNECTION: "" },
    trusted: [cwd],
  });
  await cli.connected();
  return cli;
}
