import { randomInt } from "node:crypto";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import {
  WireClient,
  type WireEvent,
  type WireStream,
} from "../../packages/testkit/src/fake-cli/gemini-family.ts";
import { listen } from "../../packages/testkit/src/listen.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import type { Sandbox } from "../harness/sandbox.ts";
import { type ServingCompanion, startCompanion } from "./companion.ts";
import { demand, fault } from "./fixture.ts";
import { openPage } from "./page.ts";

/** Every kind of character that a cut could split. */
const proposed = "plain\r\näöü\n日本語\t😀\u2028\u0000 end without newline";

badWire("that sends every byte alone", { splits: true });
badWire("that holds up every piece", { delay: 30 });
badWire("that sends every request twice", { repeats: true });
fault("a decision arrives once and complete, wherever the connection breaks", async (sandbox) => {
  const companion = await startCompanion(sandbox);
  const page = await openPage(sandbox, companion.link);
  const whole = 350 + 2 * JSON.stringify(proposed).length;
  // In the header, in the first context, between two events, in the decision, or after all of it.
  for (let turn = 0; turn < 12; turn++) {
    const filePath = join(sandbox.workspace, `cut ${turn}.txt`);
    const cutAfter = randomInt(whole + 400);
    const cli = await startBadWire(sandbox, companion, { cutAfter });
    await cli.initialize();
    const events: WireEvent[] = [];
    let stream = await openAgain(cli, events);
    await cli.call("openDiff", { filePath, newContent: proposed });
    page.say({
      type: "diffAccepted",
      id: await page.proposal(filePath),
      revision: 0,
      content: `${proposed}, decided`,
    });
    // Once more after the decision has come: it must not come again.
    for (let hasIt = false; !hasIt; stream = await openAgain(cli, events)) {
      const news = stream;
      await poll("decision or end of the stream", () => news.events.some(isOutcome) || news.isClosed);
      hasIt = news.events.some(isOutcome);
      events.push(...news.events);
    }
    await stream.method("ide/contextUpdate");
    await cli.call("ping", {});
    events.push(...stream.events);
    const outcomes = events.filter(isOutcome);
    demand(outcomes.length === 1, `once, not ${outcomes.length} times, when cut after ${cutAfter} bytes`);
    demand(outcomes[0]?.params.content === `${proposed}, decided`, `whole, when cut after ${cutAfter} bytes`);
    await stream.close();
  }
});

const isOutcome = ({ method }: WireEvent) => method.startsWith("ide/diff");

function badWire(description: string, defects: Defects): void {
  fault(`a connection ${description} changes nothing but the time it takes`, async (sandbox) => {
    const companion = await startCompanion(sandbox);
    const page = await openPage(sandbox, companion.link);
    const cli = await startBadWire(sandbox, companion, defects);
    await cli.initialize();
    const stream = await cli.openStream();
    const filePath = join(sandbox.workspace, "far.txt");
    for (const decision of ["diffAccepted", "diffRejected"] as const) {
      const { result } = await cli.call("openDiff", { filePath, newContent: proposed });
      demand(result, "openDiff is answered");
      const wanted = `ide/${decision}`;
      await poll(wanted, () => {
        // Its id may change at any moment: a call that comes twice replaces itself.
        const id = page.find(filePath);
        if (id !== undefined) page.say({ type: decision, id, revision: 0, content: `${proposed}, decided` });
        return stream.events.find(({ method }) => method === wanted);
      });
    }
    const outcomes = stream.events.filter(isOutcome);
    demand(outcomes.length === 2, `each decision arrives once: ${JSON.stringify(outcomes)}`);
    demand(outcomes[0]?.params.content === `${proposed}, decided`, "byte for byte");
  });
}

/** Opens a stream as a CLI does: it names the last complete event. */
async function openAgain(cli: FarClient, events: readonly WireEvent[]): Promise<WireStream> {
  const lastId = events.findLast(({ id }) => id !== undefined)?.id;
  for (;;) {
    const stream = await cli
      .openStream(lastId === undefined ? {} : { "last-event-id": lastId })
      .catch(() => undefined);
    if (stream) return stream;
  }
}

/** What a bad connection does to the bytes that pass. */
interface Defects {
  /** Each byte is sent alone. */
  readonly splits?: boolean;
  /** Milliseconds of delay for every piece. */
  readonly delay?: number;
  /** After how many bytes of a stream the connection breaks, once. */
  readonly cutAfter?: number;
  /** Every request is sent again on a separate connection whose answer is dropped. */
  readonly repeats?: boolean;
}

/** A CLI behind a bad connection. */
class FarClient extends WireClient {
  readonly #host: string;

  constructor(proxyPort: number, { token, port }: WireClient) {
    super(proxyPort, token);
    this.#host = `127.0.0.1:${port}`;
  }

  override get headers(): Record<string, string> {
    // As a proxy rewrites it.
    return { ...super.headers, host: this.#host };
  }
}

/** Puts a bad connection between a CLI and a companion; it passes bytes, not requests. */
async function startBadWire(
  sandbox: Sandbox,
  companion: ServingCompanion,
  defects: Defects,
): Promise<FarClient> {
  const sockets = new Set<Socket>();
  let cuts = 0;
  const server = createServer((near) => {
    const far = open(connect(companion.port, "127.0.0.1"));
    open(near);
    pass(near, far, defects);
    if (defects.repeats) repeat(near, companion.port, open);
    if (defects.cutAfter === undefined || cuts > 0) return pass(far, near, defects);
    // Only streams are cut: the answer to a POST is short.
    let left = defects.cutAfter;
    let isStream = false;
    far.on("data", (bytes: Buffer) => {
      isStream ||= bytes.includes("text/event-stream");
      if (!isStream || cuts > 0) return near.write(bytes);
      near.write(bytes.subarray(0, left));
      left -= bytes.length;
      if (left > 0) return;
      cuts += 1;
      near.end();
      far.destroy();
    });
    far.on("end", () => near.end());
  });
  const open = (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true).on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    return socket;
  };
  const port = await listen(server);
  sandbox.undo(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return new FarClient(port, companion.client());
}

function pass(from: Socket, to: Socket, { splits = false, delay = 0 }: Defects): void {
  let queue = Promise.resolve();
  from.on("data", (bytes: Buffer) => {
    queue = queue.then(async () => {
      if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
      const pieces = splits ? Array.from(bytes, (byte) => Buffer.of(byte)) : [bytes];
      for (const piece of pieces) {
        if (to.destroyed) return;
        await new Promise<void>((resolve) => to.write(piece, () => resolve()));
      }
    });
  });
  from.on("end", () => void queue.then(() => to.end()));
  from.on("close", () => void queue.then(() => to.destroy()));
}

function repeat(near: Socket, port: number, open: (socket: Socket) => Socket): void {
  const twin = open(connect(port, "127.0.0.1"));
  twin.resume();
  near.on("data", (bytes: Buffer) => {
    // An unread stream would take the events.
    if (!bytes.subarray(0, 4).equals(Buffer.from("GET "))) twin.write(bytes);
  });
  near.on("close", () => twin.end());
}
