import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { eventually } from "../../../testkit/src/eventually.ts";
import { type Deviations, startSeedCompanion } from "../../../testkit/src/fake-companion.ts";
import { privateFolder } from "../../../testkit/src/private-folder.ts";
import { DiscoveryFile } from "../agents/gemini-family/contract/discovery.ts";
import { type Core, startCore } from "../testing/core.ts";
import { aComment } from "../testing/memory-editor.ts";
import { createLoopbackFetch } from "../transport/loopback.ts";
import { type CompanionClient, connectByHttp, connectCompanion } from "./companion-client.ts";
import { readHealth } from "./health.ts";
import { DiffRefused } from "./tools.ts";

async function connect(core: Core, agent = "qwen"): Promise<CompanionClient> {
  const file = core.companion.discoveryFiles.find((candidate) => candidate.includes(agent)) ?? "";
  const { port, authToken = "" } = DiscoveryFile.parse(JSON.parse(readFileSync(file, "utf8")));
  const client = await connectCompanion({ port, token: authToken });
  onTestFinished(() => client.close());
  return client;
}

/** @param beforeCall of a tool */
async function connectToSeed(beforeCall: Deviations["beforeCall"], host = "127.0.0.1") {
  const seed = await startSeedCompanion({
    tmp: privateFolder(),
    workspacePath: "/",
    deviations: { ...(beforeCall && { beforeCall }) },
  });
  onTestFinished(() => seed.close());
  const client = await connectByHttp({ host, port: seed.port, token: seed.token });
  onTestFinished(() => client.close());
  return { client, seed };
}

/** Resolves once the editor shows a diff of the file. */
const shown = (core: Core, filePath: string) => eventually(() => core.editor.find(filePath));

/** A proposal that is on an editor's screen. */
async function propose(options: { signal?: AbortSignal } = {}) {
  const core = await startCore();
  const client = await connect(core);
  const file = path.join(core.root, "new.ts");
  const outcome = client.openDiff(file, "proposed", options);
  await shown(core, file);
  return { core, client, file, outcome };
}

const firstFile = ({ context }: CompanionClient) => context?.workspaceState?.openFiles?.[0]?.path;

describe("a client of a companion", () => {
  test("receives what the user looks at, the present state first", async () => {
    const core = await startCore();
    const [one, two] = [path.join(core.root, "one.ts"), path.join(core.root, "two.ts")];
    for (const file of [one, two]) writeFileSync(file, "x");
    core.editor.look({ files: [{ path: one, focusedAt: 1 }], activePath: one });
    // What changed a moment ago is still held back: another client tells when it is the present state.
    const earlier = await connect(core);
    await eventually(() => expect(firstFile(earlier)).toBe(one));
    const client = await connect(core);
    const seen: (string | undefined)[] = [];
    client.onContext(() => seen.push(firstFile(client)));
    await eventually(() => expect(seen).toEqual([one]));
    core.editor.look({ files: [{ path: two, focusedAt: 2 }], activePath: two });
    await eventually(() => expect(seen).toEqual([one, two]));
    expect(client.context?.workspaceState?.openFiles?.[0]?.path).toBe(two);
  });

  test("gets the text that the user accepted, edits included", async () => {
    const core = await startCore();
    const client = await connect(core);
    const file = path.join(core.root, "new.ts");
    const outcome = client.openDiff(file, "proposed\r\n");
    await shown(core, file);
    core.editor.edit(file, "edited\r\n");
    core.editor.accept(file);
    expect(await outcome).toEqual({ kind: "accepted", content: "edited\r\n" });
  });

  test("gets the user's comments with either decision, and has them for good", async () => {
    const { id: _, ...comment } = aComment;
    for (const decide of ["accept", "reject"] as const) {
      const { core, file, outcome } = await propose();
      core.editor.find(file).change.saveComments([aComment]);
      core.editor[decide](file, [aComment]);
      expect(await outcome).toMatchObject({ comments: [comment] });
      await eventually(() =>
        expect(core.events).toContainEqual(
          expect.objectContaining({ kind: "comments-delivered", by: "outcome" }),
        ),
      );
      expect(core.companion.comments.list()).toEqual([]);
    }
  });

  test("is known by its own name, and has an empty text taken as such", async () => {
    const core = await startCore();
    const client = await connect(core, "gemini");
    const session = expect.objectContaining({ agent: "ide-companion-client" });
    expect(core.events).toContainEqual(expect.objectContaining({ kind: "session-opened", session }));
    const file = path.join(core.root, "new.ts");
    const outcome = client.openDiff(file, "proposed");
    await shown(core, file);
    core.editor.edit(file, "");
    core.editor.accept(file);
    expect(await outcome).toEqual({ kind: "accepted", content: "" });
  });

  test("learns of a rejection", async () => {
    const { core, file, outcome } = await propose();
    core.editor.reject(file);
    expect(await outcome).toEqual({ kind: "rejected" });
  });

  test("closes a diff in silence and gets its text as it stood", async () => {
    const { core, client, file, outcome } = await propose();
    core.editor.edit(file, "half done");
    expect(await client.closeDiff(file, { suppressNotification: true })).toBe("half done");
    expect(await outcome).toEqual({ kind: "closed" });
  });

  test("takes a proposal back by its signal", async () => {
    const abort = new AbortController();
    const { core, file, outcome } = await propose({ signal: abort.signal });
    abort.abort(new Error("the user pressed Esc"));
    await expect(outcome).rejects.toThrow("the user pressed Esc");
    await eventually(() => expect(core.editor.closed).toEqual([{ filePath: file, reason: "agent" }]));
  });

  test("takes a proposal back that is still on its way to the companion", async () => {
    const calls: string[] = [];
    let onOvertaken = () => {};
    const overtaken = new Promise<void>((resolve) => {
      onOvertaken = resolve;
    });
    const { client, seed } = await connectToSeed(async (name) => {
      calls.push(name);
      // A long text is read later than a short call that was sent after it.
      if (name === "openDiff") await overtaken;
      else setImmediate(onOvertaken);
    });
    const abort = new AbortController();
    const outcome = client.openDiff("/a.ts", "long", { signal: abort.signal });
    await eventually(() => expect(calls).toEqual(["openDiff"]));
    abort.abort(new Error("the user pressed Esc"));
    await expect(outcome).rejects.toThrow("the user pressed Esc");
    await eventually(() => expect(calls).toEqual(["openDiff", "closeDiff", "closeDiff"]));
    await eventually(() => expect(seed.diffs.size).toBe(0));
  });

  test("shows the second proposal of a file, however long the companion reads the first", async () => {
    let read = 0;
    const taken: number[] = [];
    const { client, seed } = await connectToSeed(async () => {
      read += 1;
      const number = read;
      // Nothing shows that the second one waits: this is the time in which it could overtake the first.
      if (number === 1) await wait(200);
      taken.push(number);
    });
    const first = client.openDiff("/a.ts", "one");
    await eventually(() => expect(read).toBe(1));
    const second = client.openDiff("/a.ts", "two");
    await expect(first).rejects.toThrow("was proposed again");
    await eventually(() => expect(taken).toHaveLength(2));
    expect(taken).toEqual([1, 2]);
    await eventually(() => expect(seed.diffs.get("/a.ts")).toBe("two"));
    seed.accept("/a.ts");
    expect(await second).toEqual({ kind: "accepted", content: "two" });
  });

  test("leaves what the user has typed in the editor when it takes a proposal back", async () => {
    const abort = new AbortController();
    const { core, file, outcome } = await propose({ signal: abort.signal });
    core.editor.edit(file, "mine");
    abort.abort(new Error("the user pressed Esc"));
    await expect(outcome).rejects.toThrow("the user pressed Esc");
    const edits = expect.objectContaining({ filePath: file, text: "mine" });
    await eventually(() => expect(core.events).toContainEqual(expect.objectContaining({ edits })));
  });

  test("gets the text that it has asked for although it leaves", async () => {
    const { core, client, file, outcome } = await propose();
    core.editor.edit(file, "mine");
    const text = client.closeDiff(file, { suppressNotification: true });
    await client.close();
    expect([await text, await outcome]).toEqual(["mine", { kind: "closed" }]);
  });

  test("waits for the second proposal of a file only", async () => {
    const core = await startCore();
    const client = await connect(core);
    const file = path.join(core.root, "new.ts");
    const first = client.openDiff(file, "one");
    await shown(core, file);
    const second = client.openDiff(file, "two");
    await expect(first).rejects.toThrow(`${file} was proposed again`);
    await eventually(() => expect(core.editor.find(file).text).toBe("two"));
    core.editor.accept(file);
    expect(await second).toEqual({ kind: "accepted", content: "two" });
  });

  test("hears the user's decision about what it proposes right after it took another text back", async () => {
    const abort = new AbortController();
    const { core, client, file, outcome } = await propose({ signal: abort.signal });
    const hide = core.editor.hide.bind(core.editor);
    core.editor.hide = async (...given) => {
      await wait(30);
      return hide(...given);
    };
    abort.abort(new Error("the user pressed Esc"));
    const second = client.openDiff(file, "two");
    await expect(outcome).rejects.toThrow("the user pressed Esc");
    await eventually(() => expect(core.editor.find(file).text).toBe("two"));
    core.editor.accept(file);
    expect(await second).toEqual({ kind: "accepted", content: "two" });
  });

  test("hears the user's decision about what it proposes while it closes another text", async () => {
    const { core, client, file, outcome } = await propose();
    const closed = client.closeDiff(file, { suppressNotification: true });
    const second = client.openDiff(file, "two");
    expect([await closed, await outcome]).toEqual(["proposed", { kind: "closed" }]);
    await eventually(() => expect(core.editor.find(file).text).toBe("two"));
    core.editor.accept(file);
    expect(await second).toEqual({ kind: "accepted", content: "two" });
  });

  test("hears in the companion's words why no diff can be shown", async () => {
    const core = await startCore();
    const client = await connect(core);
    await expect(client.openDiff("relative.ts", "x")).rejects.toThrow("must be absolute");
  });

  test("hears that a proposal is longer than the companion takes", async () => {
    const core = await startCore();
    const client = await connect(core);
    const text = "x".repeat(16 * 1024 * 1024);
    await expect(client.openDiff(path.join(core.root, "long.txt"), text)).rejects.toThrow(
      new DiffRefused("The request is larger than 16 MiB, the most that is taken"),
    );
  });

  test("does not wait for ever for a companion that has gone", async () => {
    const { core, outcome } = await propose();
    const failed = expect(outcome).rejects.toThrow("the companion is gone");
    await core.companion.close();
    await failed;
  });

  test("connects by another name of the machine, as out of a container", async () => {
    const { seed } = await connectToSeed(undefined, "localhost");
    expect([...seed.hosts]).toEqual([`localhost:${seed.port}`]);
  });

  test("goes straight to loopback, whatever proxy the environment names", async () => {
    for (const name of ["HTTP_PROXY", "http_proxy", "ALL_PROXY"]) vi.stubEnv(name, "http://127.0.0.1:9");
    vi.stubEnv("NODE_USE_ENV_PROXY", "1");
    onTestFinished(() => void vi.unstubAllEnvs());
    const client = await connect(await startCore());
    expect(client.tools).toContain("openDiff");
  });

  test("is refused with the companion's reason when its token is wrong", async () => {
    const core = await startCore();
    await expect(connectCompanion({ port: core.companion.port, token: "wrong" })).rejects.toThrow(
      "is not one of this companion's",
    );
  });

  test("does not take another server for a companion", async () => {
    const server = createServer((_, response) => response.end('{"status":"ok"}')).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const fetch = createLoopbackFetch();
    onTestFinished(() => fetch.close());
    await expect(readHealth({ port, token: "t", fetch })).rejects.toThrow(
      `port ${port} is served by something else`,
    );
  });
});
