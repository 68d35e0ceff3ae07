import { setImmediate as nextTurn } from "node:timers/promises";
import { now } from "../rounds.mjs";

/**
 * What a server under measurement does when the bench asks, over the IPC channel of its process.
 * @typedef {object} Server
 * @property {number} port
 * @property {string} [token] where it is not the one that the bench has given
 * @property {(snapshot: Snapshot) => void} publish sends a new context to all clients
 * @property {() => number} sessions how many are held
 * @property {(filePath: string) => void} [accept] the user accepts the diff of a file
 *
 * @typedef {object} Snapshot what the user looks at
 * @property {number} stamp when, in microseconds of the monotonic clock, which all processes share;
 *   travels as the cursor's line
 * @property {string} text the selection
 */

/**
 * Announces the server and runs commands of the bench until that closes the channel.
 * @param {Server} server
 */
export function serveCommands(server) {
  if (!process.send) return; // its start is measured
  serve({ ...measurements, ...createCommands(server) });
  process.send({ listening: server.port, token: server.token });
}

/** @param {Record<string, (options: object) => unknown>} commands */
export function serve(commands) {
  process.on("disconnect", () => process.exit());
  process.on("message", async ({ id, name, options }) => {
    try {
      process.send({ id, result: await commands[name](options) });
    } catch (error) {
      process.send({ id, error: error.stack });
    }
  });
}

/** What every process can measure. */
export const measurements = {
  /** Microseconds of processor time used so far. */
  cpu() {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  /** Bytes, after a full collection. */
  async memory() {
    for (let round = 0; round < 3; round++) {
      globalThis.gc();
      await nextTurn();
    }
    const { rss, heapUsed, external } = process.memoryUsage();
    return { rss, heapUsed, external };
  },
};

function createCommands(server) {
  const publish = (bytes) => server.publish(snapshotOf(bytes));
  return {
    publish: ({ bytes }) => publish(bytes),
    /** So many contexts one after the other, as fast as this process can. */
    async flood({ count, bytes }) {
      for (let sent = 0; sent < count; sent++) {
        publish(bytes);
        await nextTurn();
      }
    },
    accept: ({ filePath }) => server.accept(filePath),
    sessions: () => server.sessions(),
  };
}

let snapshots = 0;

/** A unique snapshot whose context has about so many bytes. */
function snapshotOf(bytes) {
  snapshots += 1;
  return { stamp: now(), text: String(snapshots).padEnd(Math.max(8, bytes - 1400), "let it = be; ") };
}
