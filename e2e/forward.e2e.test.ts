import { expect } from "vitest";
import { type AgentKind, startAgent } from "./harness/agent-cli.ts";
import { chain } from "./harness/chain.ts";
import { startCompanion } from "./harness/companion.ts";
import { poll } from "./harness/deadline.ts";
import { discoveryFiles } from "./harness/discovery-files.ts";
import { gemini } from "./harness/gemini.ts";
import { companionScript } from "./harness/installed.ts";
import { qwen } from "./harness/qwen.ts";
import { openReviewPage } from "./harness/review-page.ts";
import { sshd, startSshd } from "./harness/sshd.ts";
import { startTerminal } from "./harness/terminal.ts";
import { createWorld, type World } from "./harness/world.ts";

const needs = { sshd };

/** Another machine: it has a home, a temporary folder and a copy of the project of its own. */
async function otherMachine(world: World): Promise<World> {
  return world.own(await createWorld());
}

async function forward(world: World, there: World) {
  const server = await startSshd(world, there);
  const options = server.options.flatMap((option) => ["-o", option]);
  const command = [process.execPath, companionScript, "forward", ...options, server.host, there.workspace];
  const terminal = await startTerminal(world, { command });
  await terminal.waitFor("is reviewed in Review page here");
  return { server, terminal };
}

const filesGone = (there: World) =>
  poll("end of the files there", async () => ((await discoveryFiles(there)).length === 0 ? true : undefined));

for (const kind of [gemini, qwen]) {
  chain(
    `${kind.displayName} on another machine has its changes reviewed here, in other folders, over ssh`,
    async (world) => {
      const there = await otherMachine(world);
      await world.write("poem.txt", "roses\nviolets\n");
      const path = await there.write("poem.txt", "roses\nviolets\n");
      const companion = await startCompanion(world);
      const page = await openReviewPage(world, companion.link);
      const { terminal } = await forward(world, there);
      expect((await discoveryFiles(there)).length).toBeGreaterThan(0);
      const cli = await startAgent(there, kind);
      await cli.connected();
      await page.openFile("poem.txt");
      await page.select("violets");
      await page.contextHolds("violets");

      await cli.proposeWriteAfterReading(path, "roses\ntulips\n");
      const proposal = await page.proposal("poem.txt");
      await proposal.edit("tulips", "lilies");
      await proposal.accept();
      await cli.finished();
      expect(String(await there.read("poem.txt"))).toBe("roses\nlilies\n");
      expect(String(await world.read("poem.txt"))).toBe("roses\nviolets\n");
      const [request] = cli.model.requests;
      expect(request?.text).toContain(toldName(kind, there));
      expect(request?.text).toContain("violets");
      expect(request?.text).not.toContain(world.workspace);

      await terminal.press("C-c");
      expect(await terminal.exited()).toBe(130);
      await filesGone(there);
    },
    { needs },
  );
}

/** How the CLI names the file to its model. */
const toldName = ({ name }: AgentKind, there: World) =>
  name === "gemini" ? there.path("poem.txt") : "poem.txt";

chain(
  "a connection that breaks is told, and leaves no file on the other machine",
  async (world) => {
    const there = await otherMachine(world);
    await startCompanion(world);
    const { server, terminal } = await forward(world, there);
    await server.cut();
    expect(await terminal.exited()).toBe(1);
    expect(await terminal.screen()).toContain("error: the connection to 127.0.0.1 has ended");
    await filesGone(there);
  },
  { needs },
);

chain(
  "the end of the companion is the end of the forwarding",
  async (world) => {
    const there = await otherMachine(world);
    const companion = await startCompanion(world);
    const { terminal } = await forward(world, there);
    await companion.stop();
    expect(await terminal.exited()).toBe(1);
    expect(await terminal.screen()).toContain("error: the companion has ended");
    await filesGone(there);
  },
  { needs },
);
