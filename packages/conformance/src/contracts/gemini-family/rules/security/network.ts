import { networkInterfaces } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { isListening } from "../../../../target/machine.ts";
import { postHead } from "../../../../wire/http.ts";
import { demand, demandNone, NotRun } from "../../../check.ts";
import { bodyLimit, headOf, listText } from "../../../http-checks.ts";
import { mcp, recommended, specification } from "../../../requirement.ts";
import type { FamilyGroup } from "../means.ts";

/** This machine's addresses that a server on 127.0.0.1 does not have. */
function otherAddresses(): readonly string[] {
  // On Linux the whole of 127.0.0.0/8 is this machine.
  if (process.platform === "linux") return ["127.0.0.2"];
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.filter(({ internal, family }) => !internal && family === "IPv4").map(({ address }) => address);
}

/** Spellings of a path that some guards and file servers get wrong. */
const disguises = [
  "//mcp",
  "/mcp/",
  "/./mcp",
  "/x/../mcp",
  "/%6dcp",
  "/mcp%00",
  "/mcp;x",
  "/MCP",
  "/mcp?token=x",
  "/mcp#x",
  "http://evil.example/mcp",
  "/../../../../../../etc/passwd",
  "/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
  "/mcp/..%2f..%2f..%2f..%2fetc%2fpasswd",
];

export const networkRules: FamilyGroup = {
  S7: {
    MUST: "The server listens on `127.0.0.1` alone.",
    sources: [
      specification("I", "CLI and companion talk through a local channel."),
      mcp("Transports", "Local servers SHOULD bind to localhost only."),
    ],
    check: "loopback-only",
    async run({ target }) {
      const addresses = otherAddresses();
      if (addresses.length === 0) throw new NotRun("this machine has no other address");
      const reached: string[] = [];
      for (const address of addresses) {
        if (await isListening(target.port, address)) reached.push(address);
      }
      demand(reached.length === 0, `the companion can be reached at ${reached.join(", ")}`);
    },
    fault: { host: "0.0.0.0", says: /can be reached at 127\.0\.0\.2/ },
  },
  S8: {
    SHOULD: "No spelling of a path reaches the server without the token, or ever a file of the machine.",
    sources: recommended("`//mcp`, `/mcp/../…` and `%2e%2e` pass guards that compare strings."),
    check: "path-tricks",
    async run({ newCli, greet, raw }) {
      const session = await greet();
      const { authorization: _, ...withoutToken } = newCli().headers;
      const problems: string[] = [];
      for (const path of disguises) {
        for (const [how, headers] of [
          ["without the token", withoutToken],
          ["with the token", session.headers],
        ] as const) {
          const connection = await raw();
          const own = { connection: "close", "content-length": listText.length };
          await connection.write(postHead(path, { ...own, ...headers }) + listText);
          const status = (await connection.status()) ?? 0;
          connection.close();
          if (status >= 500) problems.push(`${path} ${how} was answered ${status}`);
          if (how === "without the token" && status === 200) problems.push(`${path} ${how} was accepted`);
          if (connection.received.includes("root:")) problems.push(`${path} ${how} was answered with a file`);
        }
      }
      demandNone(problems);
    },
    fault: {
      // The guard knows one spelling.
      status: (status, { path }) => (path === "/mcp" ? status : 200),
      says: /\/\/mcp without the token was accepted/,
    },
  },
  S9: {
    SHOULD: "A request body has a limit, declared or not.",
    sources: recommended("Otherwise one request can take all the memory of the editor."),
    ...bodyLimit,
  },
  S10: {
    SHOULD: "A client that sends slowly, or not to the end, delays no other client.",
    sources: recommended("Editors have one thread, and a companion often runs in it."),
    check: "slow-senders",
    async run({ greet, raw, connect, limits }) {
      const slow = await greet();
      const raws = await Promise.all(Array.from({ length: 20 }, raw));
      for (const each of raws) await each.write(`${headOf(slow, { "content-length": 1000 })}{`);
      const session = await connect();
      const started = performance.now();
      for (let round = 0; round < 5; round += 1) {
        for (const each of raws) await each.write(" ");
        await session.list();
        await delay(20);
      }
      const longest = Math.round(performance.now() - started);
      demand(longest < limits.answer, `with 20 slow senders, 5 requests took ${longest} ms`);
    },
    fault: { queues: true, says: /POST \/mcp got no answer/ },
  },
};
