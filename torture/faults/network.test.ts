import { once } from "node:events";
import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { poll } from "../../packages/testkit/src/waiting.ts";
import { spawnCompanion, startCompanion } from "./companion.ts";
import { demand, fault, needsLinux, needsRoot } from "./fixture.ts";
import { startReview } from "./page.ts";

fault(
  "if the loopback interface is down, the user reads that no CLI can connect",
  async (sandbox) => {
    const companion = spawnCompanion(sandbox, { program: ["unshare", "--net", process.execPath] });
    await companion.says(/Warning +Nobody can reach 127\.0\.0\.1 here: the loopback interface is down/);
    demand(!companion.hasEnded, "it keeps running");
  },
  needsRoot,
);

fault(
  "on a machine with IPv6 only it names the missing address",
  async (sandbox) => {
    const script = 'ip link set lo up && ip address del 127.0.0.1/8 dev lo && exec "$0" "$@"';
    const companion = spawnCompanion(sandbox, {
      program: ["unshare", "--net", "sh", "-c", script, process.execPath],
    });
    demand((await companion.end) === 1, "it ends with 1");
    demand(
      companion.output().startsWith("error: This machine has no address 127.0.0.1,"),
      companion.output(),
    );
  },
  needsRoot,
);

fault(
  "a client that closes half of a connection is answered or dropped, and holds no resources",
  async (sandbox) => {
    const companion = await startCompanion(sandbox);
    await companion.proveThatItServes();
    const descriptors = () => readdirSync(`/proc/${companion.pid}/fd`).length;
    const before = descriptors();
    const cli = await companion.client().initialize();
    const head = (method: string) =>
      `${method} /mcp HTTP/1.1\r\nHost: 127.0.0.1:${companion.port}\r\n` +
      Object.entries({ ...cli.headers, ...(method === "GET" && { accept: "text/event-stream" }) })
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join("");
    const filePath = join(sandbox.workspace, "half.txt");
    const call = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "openDiff", arguments: { filePath, newContent: "half\n" } },
    });
    const requests = [
      "",
      "POST /mcp HTTP/1.1\r\nHost: ",
      `${head("POST")}\r\n`,
      `${head("POST")}content-length: 1000\r\n\r\n{"jsonrpc"`,
      `${head("POST")}content-length: ${call.length}\r\n\r\n${call}`,
      `${head("GET")}\r\n`,
    ];
    for (const request of requests) {
      const socket = connect({ port: companion.port, host: "127.0.0.1", allowHalfOpen: true });
      socket.end(request);
      const answer = await text(socket);
      demand(answer === "" || answer.startsWith("HTTP/1.1 "), `not HTTP: ${answer}`);
      socket.destroy();
    }
    // Its stream is taken for closed, like that of a CLI that has ended.
    await companion.says(/disconnected, it went away/);
    await poll("as few descriptors as before", () => descriptors() <= before + 1, {
      describe: () => `${descriptors()} instead of ${before}`,
    });
    await companion.proveThatItServes();
  },
  needsLinux,
);

fault("a slow reader gets a large text completely, and others do not wait for it", async (sandbox) => {
  const { companion, page, cli, stream } = await startReview(sandbox);
  const filePath = join(sandbox.workspace, "large.txt");
  const large = "0123456789 äöü 😀\r\n".repeat(300_000);
  await cli.call("openDiff", { filePath, newContent: large });
  const id = await page.proposal(filePath);
  stream.response.pause();
  page.say({ type: "diffAccepted", id, revision: 0, content: `${large}edited` });
  await companion.says(/accepted with your edits: large\.txt/);
  for (let turn = 0; turn < 8; turn++) {
    await companion.proveThatItServes();
    // A little at a time.
    stream.response.resume();
    await once(stream.response, "data");
    stream.response.pause();
  }
  stream.response.resume();
  const { params } = await stream.next(({ method }) => method === "ide/diffAccepted", 30_000);
  demand(params.content === `${large}edited`, "every byte arrives");
});
