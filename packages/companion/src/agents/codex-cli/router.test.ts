import { lstatSync, mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import {
  askAsCodex,
  codexSocket,
  contextOf,
  IpcProgram,
} from "../../../../testkit/src/fake-cli/codex-cli.ts";
import { FrameParser, toFrame } from "../../../../testkit/src/frames.ts";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { startCompanion } from "../../companion.ts";
import { privateHost, startCore } from "../../testing/core.ts";
import { MemoryEditor } from "../../testing/memory-editor.ts";
import { routerLimits } from "./router.ts";

const nothing = { activeFile: null, openTabs: [] };

/** A companion that routes, and other programs at its socket. */
async function start() {
  const core = await startCore();
  const path = codexSocket(core.host);
  const connect = () => IpcProgram.connect(path, onTestFinished);
  return {
    ...core,
    path,
    connect,
    ask: async (folder: string) => contextOf(await askAsCodex(path, folder, onTestFinished)),
    /** A program that stays. */
    async join(clientType?: string) {
      const program = await connect();
      const id = await program.initialize(clientType);
      return { program, id };
    },
  };
}

/** It can answer every request, and does so. */
function answerAll({ program, id }: { program: IpcProgram; id: string }, result: object): void {
  const answered = new Set<unknown>();
  program.socket.on("data", () => {
    for (const message of program.heard.filter((each) => !answered.has(each))) {
      answered.add(message);
      const { type, requestId, method } = message;
      if (type === "client-discovery-request") {
        program.send({ type: "client-discovery-response", requestId, response: { canHandle: true } });
      } else if (type === "request") {
        program.send({
          type: "response",
          requestId,
          resultType: "success",
          method,
          handledByClientId: id,
          result,
        });
      }
    }
  });
}

describe("a question of another folder", () => {
  test("is answered by the program that says it can", async () => {
    const { ask, join: joinAs } = await start();
    const answer = { ideContext: { activeFile: null, openTabs: [], unknown: 1 } };
    answerAll(await joinAs(), answer);
    const { program } = await joinAs("other");
    expect(await ask("/elsewhere")).toEqual(answer.ideContext);
    expect(program.sent("client-discovery-request")).toMatchObject([
      { request: { type: "request", method: "ide-context", params: { workspaceRoot: "/elsewhere" } } },
    ]);
    expect(program.sent("request")).toEqual([]);
  });

  test("that nobody answers within a second finds no client", async () => {
    const { ask, join: joinAs } = await start();
    await joinAs();
    const started = performance.now();
    expect(await ask("/elsewhere")).toBe("no-client-found");
    expect(performance.now() - started).toBeGreaterThan(routerLimits.discovery - 50);
  });

  test("is lost with the client that leaves before it answers", async () => {
    const { ask, join: joinAs } = await start();
    const { program } = await joinAs();
    const answer = ask("/elsewhere");
    const { requestId } = await program.hear(({ type }) => type === "client-discovery-request");
    program.send({ type: "client-discovery-response", requestId, response: { canHandle: true } });
    await program.hear(({ type }) => type === "request");
    program.socket.destroy();
    expect(await answer).toBe("client-disconnected");
  });

  test("is over when its client says nothing for too long", async () => {
    const { ask, join: joinAs } = await start();
    const { program } = await joinAs();
    const delays = vi.spyOn(globalThis, "setTimeout");
    onTestFinished(() => delays.mockRestore());
    const answer = ask("/elsewhere");
    const { requestId } = await program.hear(({ type }) => type === "client-discovery-request");
    program.send({ type: "client-discovery-response", requestId, response: { canHandle: true } });
    await program.hear(({ type }) => type === "request");
    const call = delays.mock.calls.find(([, delay]) => delay === routerLimits.request);
    call?.[0]();
    expect(await answer).toBe("request-timeout");
  });

  test("above a folder of the router's is left to a companion that has just that folder", async () => {
    const { ask, join: joinAs, root } = await start();
    expect(await ask(join(root, ".."))).toEqual(nothing);
    answerAll(await joinAs(), { ideContext: { better: true } });
    expect(await ask(join(root, ".."))).toEqual({ better: true });
    expect(await ask(root)).toEqual(nothing);
  });
});

describe("what other programs say to each other", () => {
  test("reaches all others as a broadcast, with the id of its sender, or those that it names", async () => {
    const { connect, join: joinAs, events } = await start();
    const [one, two, three] = [await joinAs(), await joinAs(), await joinAs()];
    const passer = await connect();
    const message = { type: "broadcast", method: "thread-stream-x", version: 3, params: { text: "words" } };
    one.program.send(message);
    one.program.send({ ...message, method: "to-three", targetClientIds: [three.id] });
    const sent = expect.objectContaining({ ...message, sourceClientId: one.id });
    await eventually(() =>
      expect(three.program.sent("broadcast")).toEqual(
        expect.arrayContaining([sent, expect.objectContaining({ method: "to-three" })]),
      ),
    );
    expect(two.program.sent("broadcast").at(-1)).toEqual(sent);
    expect(one.program.sent("broadcast").map(({ method }) => method)).not.toContain("thread-stream-x");
    expect(passer.heard).toEqual([]);
    expect(JSON.stringify(events)).not.toContain("words");
  });

  test("goes to the one client that a request names, whose answer comes back as it is", async () => {
    const { join: joinAs } = await start();
    const [one, two] = [await joinAs(), await joinAs()];
    answerAll(two, { any: ["thing", 1.5] });
    const request = { method: "thread-follower-start", version: 2, params: { text: "words" } };
    const answer = await one.program.ask({ ...request, targetClientId: two.id });
    expect(answer).toMatchObject({ handledByClientId: two.id, result: { any: ["thing", 1.5] } });
    expect(two.program.sent("request")).toMatchObject([{ ...request, sourceClientId: one.id }]);
    expect(two.program.sent("client-discovery-request")).toEqual([]);
    expect(await one.program.ask({ ...request, targetClientId: "nobody" })).toMatchObject({
      error: "no-client-found",
    });
  });

  test("tells of clients that come and go", async () => {
    const { join: joinAs } = await start();
    const one = await joinAs();
    const two = await joinAs("vscode");
    two.program.socket.destroy();
    const params = { clientId: two.id, clientType: "vscode" };
    await eventually(() =>
      expect(one.program.sent("broadcast")).toMatchObject([
        { method: "client-status-changed", params: { ...params, status: "connected" } },
        { method: "client-status-changed", params: { ...params, status: "disconnected" } },
      ]),
    );
  });

  test("may be long from a program that has introduced itself, and from no other", async () => {
    const { connect, join: joinAs } = await start();
    const [one, two, stranger] = [await joinAs(), await joinAs(), await connect()];
    const text = "x".repeat(1024 * 1024);
    one.program.send({ type: "broadcast", method: "long", params: { text } });
    await two.program.hear(({ method }) => method === "long");
    stranger.send({ type: "broadcast", method: "long", params: { text } });
    await eventually(() => expect(stranger.isClosed).toBe(true));
  });
});

describe("a connection", () => {
  test("that says what is no message is not answered, and its next question is", async () => {
    const { connect, root } = await start();
    const program = await connect();
    for (const message of [
      {},
      { type: "request" },
      { type: "request", requestId: "1" },
      { type: "unheard" },
    ]) {
      program.send(message);
    }
    expect(contextOf(await program.askForContext(root))).toEqual(nothing);
    expect(program.heard).toHaveLength(1);
  });

  test("that neither asks nor introduces itself is closed", async () => {
    const delays = vi.spyOn(globalThis, "setTimeout");
    onTestFinished(() => delays.mockRestore());
    const { connect } = await start();
    const program = await connect();
    const call = await eventually(() => {
      const [found] = delays.mock.calls.filter(([, delay]) => delay === routerLimits.idle);
      return found ?? Promise.reject(new Error("not accepted yet"));
    });
    call[0]();
    await eventually(() => expect(program.isClosed).toBe(true));
  });

  test("that asks too much at once hears that nobody can answer", async () => {
    const { connect, join: joinAs } = await start();
    await joinAs();
    const program = await connect();
    const answers = Array.from({ length: 65 }, () => program.askForContext("/elsewhere"));
    await program.hear(({ type }) => type === "response");
    expect(program.sent("response")).toHaveLength(1);
    expect(await Promise.all(answers)).toHaveLength(65);
  });
});

test("a companion that comes second answers through the first", async () => {
  const { host, ask, root } = await start();
  const other = privateFolder();
  const second = await startCompanion({ editor: new MemoryEditor(), roots: [other], host });
  onTestFinished(() => second.close());
  expect(await ask(other)).toEqual(nothing);
  expect(await ask(root)).toEqual(nothing);
  await second.close();
  expect(await ask(other)).toBe("no-client-found");
});

test("a router that is slow to answer keeps its socket", async () => {
  const host = privateHost();
  const path = codexSocket(host);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const delays: NodeJS.Timeout[] = [];
  const asked: string[] = [];
  const router = createServer((socket) => {
    socket.on("error", () => {});
    const parser = new FrameParser((text) => {
      const { requestId, method } = JSON.parse(text);
      asked.push(method);
      const answer = {
        type: "response",
        requestId,
        resultType: "success",
        method,
        result: { clientId: "1" },
      };
      // Longer than a client waits for its introduction, and shorter than it takes to be held for stopped.
      delays.push(setTimeout(() => socket.write(toFrame(JSON.stringify(answer))), 3000));
    });
    socket.on("data", (chunk) => parser.push(chunk));
  });
  onTestFinished(() => {
    for (const delay of delays) clearTimeout(delay);
    router.close();
  });
  await new Promise<void>((resolve) => router.listen(path, resolve));
  const { ino } = lstatSync(path);
  await startCore({ host });
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(2), { timeout: 20_000 });
  expect(lstatSync(path).ino).toBe(ino);
}, 40_000);

test("a companion answers through another program's router, and is silent to what is not for it", async () => {
  const host = privateHost();
  const router = await startCompanion({ editor: new MemoryEditor(), roots: [], host });
  onTestFinished(() => router.close());
  const { root } = await startCore({ host });
  const program = await IpcProgram.connect(codexSocket(host), onTestFinished);
  await program.initialize();
  expect(contextOf(await program.askForContext(root))).toEqual(nothing);
  expect(await program.ask({ method: "thread-follower-start", params: {} })).toMatchObject({
    error: "no-client-found",
  });
});
