import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { demand, executable, type ServingCompanion, startCompanion, until } from "./companion-process.ts";
import { type Fault, type Fixture, needsLinux } from "./fault.ts";
import { openPage } from "./page.ts";
import { startReview } from "./review.ts";

/** What cannot be opened: for want of file descriptors, or because it is gone. */
export const descriptorFaults: readonly Fault[] = [
  {
    sentence:
      "without a free file descriptor nobody new is served, nobody old is lost, and afterwards all is well",
    obstacle: needsLinux,
    async run(fixture) {
      const { companion, page, cli, stream } = await startReview(fixture);
      const filePath = join(fixture.sandbox.workspace, "held.txt");
      await cli.call("openDiff", { filePath, newContent: "held\n" });
      const id = await page.proposal(filePath);
      const exhaustion = await exhaust(fixture, companion);
      const refused = await companion
        .client()
        .initialize()
        .then(
          () => "served",
          () => "refused",
        );
      demand(refused === "refused", "a newcomer is turned away");
      page.say({ type: "accept", id, revision: 0, text: "held, edited\n" });
      const { params } = await stream.method("ide/diffAccepted");
      demand(params.content === "held, edited\n", "the decision arrives all the same");
      await exhaustion.end();
      await companion.proveThatItServes();
    },
  },
  {
    sentence: "a part that cannot be loaded for want of a file descriptor is told as that",
    obstacle: needsLinux,
    async run(fixture) {
      const companion = await startCompanion(fixture);
      const cli = await companion.client().initialize();
      // Enough for the connection on which it calls, and for nothing else.
      const exhaustion = await exhaust(fixture, companion, { leave: 1 });
      const filePath = join(fixture.sandbox.workspace, "first.txt");
      const call = {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "openDiff", arguments: { filePath, newContent: "" } },
      };
      const answer = await cli.post(call);
      demand(
        answer.status === 503 && answer.body.includes("too many files are open"),
        `the CLI is told why: ${answer.status} ${answer.body}`,
      );
      await companion.says(
        /Warning +a request failed: a part of ide-companion could not be loaded: too many files/,
      );
      await exhaustion.end();
      await companion.client().initialize();
      demand(!companion.hasEnded, "it goes on");
    },
  },
  {
    sentence: "an update that takes its files away while it runs is told, to CLI and page, and ends nothing",
    async run(fixture) {
      const dist = join(fixture.sandbox.folder, "dist");
      cpSync(dirname(executable), dist, { recursive: true });
      const companion = await startCompanion(fixture, { script: join(dist, "ide-companion.js") });
      const cli = await companion.client().initialize();
      const stream = await cli.openStream();
      rmSync(join(dist, "chunks"), { recursive: true });
      const call = {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "openDiff", arguments: {} },
      };
      const answer = await cli.post(call);
      demand(
        answer.body.includes("gone from the disk, as after an update. Restart ide-companion."),
        answer.body,
      );
      await openPage(fixture, companion.link).then(
        () => demand(false, "the page cannot open"),
        (error: Error) => demand(/503/.test(error.message), error.message),
      );
      demand(!companion.hasEnded && !stream.isClosed, "it goes on");
    },
  },
];

/**
 * Lets a process have no file descriptor any more, but `leave`.
 * @returns gives them back
 */
async function exhaust({ undo }: Fixture, { pid, port }: ServingCompanion, { leave = 0 } = {}) {
  const used = () => readdirSync(`/proc/${pid}/fd`).length;
  const highest = Math.max(...readdirSync(`/proc/${pid}/fd`).map(Number));
  const limit = (soft: number | string) =>
    execFileSync("prlimit", ["--pid", String(pid), `--nofile=${soft}:`]);
  const [, original = "1024"] =
    /Max open files\s+(\d+)/.exec(execFileSync("cat", [`/proc/${pid}/limits`], { encoding: "utf8" })) ?? [];
  const sockets: Socket[] = [];
  undo(() => {
    for (const socket of sockets) socket.destroy();
  });
  const free = highest + 1 - used();
  limit(highest + 1 + leave);
  let refused = 0;
  for (let count = 0; count < free + leave + 10; count++) {
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    socket.once("close", () => {
      refused += 1;
    });
    sockets.push(socket);
  }
  // More than it can hold; whom it takes in stays, and is silent.
  await until("a connection that is turned away", () => (refused > 0 ? true : undefined));
  if (leave > 0) {
    const before = used();
    sockets.findLast((socket) => !socket.destroyed)?.destroy();
    await until("a file descriptor", () => (used() < before ? true : undefined));
  }
  return {
    async end() {
      limit(original);
      const before = used();
      for (const socket of sockets) socket.destroy();
      await until("free file descriptors", () => (used() <= before ? true : undefined));
    },
  };
}
