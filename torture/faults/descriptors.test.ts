import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { executable } from "../../packages/testkit/src/companion-process.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import type { Sandbox } from "../harness/sandbox.ts";
import { type ServingCompanion, startCompanion } from "./companion.ts";
import { demand, fault, needsLinux } from "./fixture.ts";
import { openPage, startReview } from "./page.ts";

fault(
  "without a free file descriptor no new client is served, no connected one is lost, and later all are served",
  async (sandbox) => {
    const { companion, page, cli, stream } = await startReview(sandbox);
    const filePath = join(sandbox.workspace, "held.txt");
    await cli.call("openDiff", { filePath, newContent: "held\n" });
    const id = await page.proposal(filePath);
    const exhaustion = await exhaust(sandbox, companion);
    const refused = await companion
      .client()
      .initialize()
      .then(
        () => "served",
        () => "refused",
      );
    demand(refused === "refused", "a new client is refused");
    page.say({ type: "diffAccepted", id, revision: 0, content: "held, edited\n" });
    const { params } = await stream.method("ide/diffAccepted");
    demand(params.content === "held, edited\n", "the decision arrives all the same");
    await exhaustion.end();
    await companion.proveThatItServes();
  },
  needsLinux,
);

fault(
  "a part that cannot be loaded because file descriptors are missing is reported as that",
  async (sandbox) => {
    const companion = await startCompanion(sandbox);
    const cli = await companion.client().initialize();
    // Enough for the connection on which it calls, and for nothing else.
    const exhaustion = await exhaust(sandbox, companion, { leave: 1 });
    const filePath = join(sandbox.workspace, "first.txt");
    const call = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "openDiff", arguments: { filePath, newContent: "" } },
    };
    const answer = await cli.post(call);
    demand(
      answer.status === 503 && answer.body.includes("too many files are open"),
      `the CLI gets the reason: ${answer.status} ${answer.body}`,
    );
    await companion.says(
      /Warning +a request failed: a part of ide-companion could not be loaded: too many files/,
    );
    await exhaustion.end();
    await companion.client().initialize();
    demand(!companion.hasEnded, "it goes on");
  },
  needsLinux,
);

fault(
  "an update that removes its files while it runs is reported to CLI and page, and ends nothing",
  async (sandbox) => {
    const dist = join(sandbox.folder, "dist");
    cpSync(dirname(executable), dist, { recursive: true });
    const companion = await startCompanion(sandbox, { script: join(dist, "ide-companion.js") });
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
    await openPage(sandbox, companion.link).then(
      () => demand(false, "the page cannot open"),
      (error: Error) => demand(/503/.test(error.message), error.message),
    );
    demand(!companion.hasEnded && !stream.isClosed, "it goes on");
  },
);

/**
 * Takes all file descriptors of a process except `leave`.
 * @returns a way to free them
 */
async function exhaust({ undo }: Pick<Sandbox, "undo">, { pid, port }: ServingCompanion, { leave = 0 } = {}) {
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
  // More than it can hold; those that it accepts stay silent.
  await poll("a connection that is refused", () => refused > 0);
  if (leave > 0) {
    const before = used();
    sockets.findLast((socket) => !socket.destroyed)?.destroy();
    await poll("a file descriptor", () => used() < before);
  }
  return {
    async end() {
      limit(original);
      const before = used();
      for (const socket of sockets) socket.destroy();
      await poll("free file descriptors", () => used() <= before);
    },
  };
}
