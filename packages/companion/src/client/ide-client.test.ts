import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../testkit/src/eventually.ts";
import { type Deviations, startSeedCompanion } from "../../../testkit/src/fake-companion.ts";
import { privateFolder } from "../../../testkit/src/private-folder.ts";
import type { Host } from "../system/host.ts";
import { privateHost, startCore } from "../testing/core.ts";
import { createIdeClient, type IdeClient } from "./ide-client.ts";

function createClient(host: Host, folder: string): IdeClient {
  const client = createIdeClient({ host, folder });
  onTestFinished(() => client.close());
  return client;
}

/** What every kind of companion must be able to do, so that the same tests serve both. */
interface Served {
  readonly host: Host;
  readonly folder: string;
  shown(filePath: string): Promise<unknown>;
  /** Undefined where no diff of the file is shown. */
  text(filePath: string): string | undefined;
  edit(filePath: string, content: string): void;
  accept(filePath: string): void;
  reject(filePath: string): void;
  look(filePath: string): void;
  /** Nothing of it is left. */
  end(): Promise<void>;
}

async function serveOurs(host = privateHost(), root?: string): Promise<Served> {
  const core = await startCore({ host, ...(root !== undefined && { roots: [root] }) });
  const { editor, companion } = core;
  return {
    host,
    folder: root ?? core.root,
    shown: (filePath) => eventually(() => editor.find(filePath)),
    text: (filePath) =>
      [...editor.diffs.values()].find(({ proposal }) => proposal.filePath === filePath)?.text,
    edit: (filePath, content) => editor.edit(filePath, content),
    accept: (filePath) => editor.accept(filePath),
    reject: (filePath) => editor.reject(filePath),
    look(filePath) {
      writeFileSync(filePath, "x");
      editor.look({ files: [{ path: filePath, focusedAt: 1 }], activePath: filePath });
    },
    end: () => companion.close(),
  };
}

/** As the specification alone has it; also one that wraps the text of a closed diff as the first companion did. */
const serveSeed =
  (closeDiffText?: (content: string) => string) =>
  async (host = privateHost(), folder = privateFolder()): Promise<Served> => {
    const deviations = closeDiffText ? { closeDiffText } : {};
    const seed = await startSeedCompanion({ tmp: host.tmp, workspacePath: folder, deviations });
    onTestFinished(() => seed.close());
    return {
      host,
      folder,
      shown: (filePath) => eventually(() => expect([...seed.diffs.keys()]).toContain(filePath)),
      text: (filePath) => seed.diffs.get(filePath),
      edit: (filePath, content) => seed.edit(filePath, content),
      accept: (filePath) => seed.accept(filePath),
      reject: (filePath) => seed.reject(filePath),
      look: (filePath) =>
        seed.update({ workspaceState: { openFiles: [{ path: filePath, timestamp: 1, isActive: true }] } }),
      end: () => seed.close(),
    };
  };

describe.each([
  ["ours", serveOurs],
  ["one made from the specification alone", serveSeed()],
  ["one that wraps its texts in JSON", serveSeed((content) => JSON.stringify({ content }))],
] as const)("with a companion: %s,", (_, serve) => {
  test("the client finds it and receives what the user looks at", async () => {
    const served = await serve();
    const client = createClient(served.host, served.folder);
    const states: string[] = [];
    client.onStatus(({ state }) => states.push(state));
    await client.connect();
    expect(states).toEqual(["connecting", "connected"]);
    const file = path.join(served.folder, "seen.ts");
    served.look(file);
    await eventually(() => expect(client.context?.workspaceState?.openFiles?.[0]?.path).toBe(file));
    await client.close();
    expect([client.status.state, client.context]).toEqual(["disconnected", undefined]);
  });

  test("a diff has the IDE's outcome, edits included", async () => {
    const served = await serve();
    const client = createClient(served.host, served.folder);
    await client.connect();
    const file = path.join(served.folder, "a.ts");
    const accepted = client.openDiff(file, "proposed");
    await served.shown(file);
    served.edit(file, "edited");
    served.accept(file);
    expect(await accepted).toEqual({ kind: "accepted", content: "edited" });
    const rejected = client.openDiff(file, "again");
    await served.shown(file);
    served.reject(file);
    expect(await rejected).toEqual({ kind: "rejected" });
  });

  test("a diff has the terminal's outcome, with what was typed in the IDE", async () => {
    const served = await serve();
    const client = createClient(served.host, served.folder);
    await client.connect();
    const file = path.join(served.folder, "a.ts");
    const outcome = client.openDiff(file, "proposed");
    await served.shown(file);
    served.edit(file, "half done");
    const decided = await client.decide(file, "accept");
    expect(decided).toEqual({ kind: "accepted", content: "half done" });
    expect(await outcome).toBe(decided);
    await expect(client.decide(file, "reject")).rejects.toThrow(`no diff of ${file} is open`);
  });

  test("a diff is withdrawn by its signal", async () => {
    const served = await serve();
    const client = createClient(served.host, served.folder);
    await client.connect();
    const file = path.join(served.folder, "a.ts");
    const abort = new AbortController();
    const outcome = client.openDiff(file, "proposed", { signal: abort.signal });
    await served.shown(file);
    abort.abort(new Error("the user pressed Esc"));
    await expect(outcome).rejects.toThrow("the user pressed Esc");
    await expect(client.openDiff(file, "x", { signal: abort.signal })).rejects.toThrow(
      "the user pressed Esc",
    );
  });

  test("a diff has its own outcome where another of that file has just been withdrawn", async () => {
    const served = await serve();
    const client = createClient(served.host, served.folder);
    await client.connect();
    const file = path.join(served.folder, "a.ts");
    const abort = new AbortController();
    const withdrawn = client.openDiff(file, "one", { signal: abort.signal });
    await served.shown(file);
    abort.abort(new Error("the user pressed Esc"));
    const outcome = client.openDiff(file, "two");
    await expect(withdrawn).rejects.toThrow("the user pressed Esc");
    await eventually(() => expect(served.text(file)).toBe("two"));
    served.accept(file);
    expect(await outcome).toEqual({ kind: "accepted", content: "two" });
  });

  test("a diff outlives its companion: the next one shows it, found by its own file", async () => {
    const first = await serve();
    const client = createClient(first.host, first.folder);
    await client.connect();
    const file = path.join(first.folder, "a.ts");
    const outcome = client.openDiff(file, "proposed");
    await first.shown(file);
    await first.end();
    await eventually(() => expect(client.status.state).toBe("disconnected"));
    const next = await serve(first.host, first.folder);
    await next.shown(file);
    next.accept(file);
    expect(await outcome).toEqual({ kind: "accepted", content: "proposed" });
    expect(client.status.state).toBe("connected");
  });
});

/** @param beforeCall of a tool */
async function connectToSeed(beforeCall: Required<Deviations>["beforeCall"]) {
  const [host, folder] = [privateHost(), privateFolder()];
  const seed = await startSeedCompanion({ tmp: host.tmp, workspacePath: folder, deviations: { beforeCall } });
  onTestFinished(() => seed.close());
  const client = createClient(host, folder);
  await client.connect();
  return { client, seed, file: path.join(folder, "a.ts") };
}

describe("the client of an IDE", () => {
  test("says why it is not connected, and refuses diffs", async () => {
    const [host, folder] = [privateHost(), privateFolder()];
    const client = createClient(host, folder);
    expect(await client.connect()).toEqual({
      state: "disconnected",
      reason: `no companion serves ${folder}`,
    });
    await expect(client.openDiff(path.join(folder, "a"), "x")).rejects.toThrow("no IDE is connected");
  });

  test("passes on why the IDE shows no diff, and stays connected", async () => {
    const served = await serveOurs();
    const client = createClient(served.host, served.folder);
    await client.connect();
    await expect(client.openDiff("relative.ts", "x")).rejects.toThrow("must be absolute");
    expect(client.status.state).toBe("connected");
  });

  test("passes on that a call is no good, and does not connect again and again", async () => {
    const served = await serveOurs();
    const client = createClient(served.host, served.folder);
    await client.connect();
    const states: string[] = [];
    client.onStatus(({ state }) => states.push(state));
    const notText = Buffer.from("x") as unknown as string; // as a program without types may pass
    await expect(client.openDiff(path.join(served.folder, "a.ts"), notText)).rejects.toThrow(
      "wrong arguments: newContent",
    );
    expect(states).toEqual([]);
  });

  test("passes on why a diff cannot be opened by the third connection either", async () => {
    const { client, seed, file } = await connectToSeed((name) => {
      if (name === "openDiff") throw new Error("a fault");
    });
    await expect(client.openDiff(file, "x")).rejects.toThrow("Refused with 400");
    expect(seed.sessions).toBe(3);
  });

  test("takes the IDE's decision where that was faster and is still on its way", async () => {
    const { client, seed, file } = await connectToSeed((name) => {
      if (name !== "closeDiff") return;
      seed.diffs.delete(file);
      setTimeout(() => {
        seed.edit(file, "edited");
        seed.accept(file);
      }, 20);
    });
    const outcome = client.openDiff(file, "proposed");
    await eventually(() => expect(seed.diffs.has(file)).toBe(true));
    expect(await client.decide(file, "reject")).toEqual({ kind: "accepted", content: "edited" });
    expect(await outcome).toEqual({ kind: "accepted", content: "edited" });
  });

  test("goes on when its session is forgotten, as by a reloaded extension", async () => {
    const [host, folder] = [privateHost(), privateFolder()];
    const seed = await startSeedCompanion({ tmp: host.tmp, workspacePath: folder });
    onTestFinished(() => seed.close());
    const client = createClient(host, folder);
    await client.connect();
    const file = path.join(folder, "a.ts");
    const outcome = client.openDiff(file, "proposed");
    await eventually(() => expect(seed.diffs.has(file)).toBe(true));
    seed.forget();
    await eventually(() => expect([seed.sessions, seed.diffs.has(file)]).toEqual([2, true]));
    seed.accept(file);
    expect(await outcome).toEqual({ kind: "accepted", content: "proposed" });
  });

  test("stays in its session when only the stream breaks", async () => {
    const [host, folder] = [privateHost(), privateFolder()];
    const seed = await startSeedCompanion({ tmp: host.tmp, workspacePath: folder });
    onTestFinished(() => seed.close());
    const client = createClient(host, folder);
    await client.connect();
    const states: string[] = [];
    client.onStatus(({ state }) => states.push(state));
    seed.cut();
    const look = () => {
      seed.update({ workspaceState: { openFiles: [{ path: "/after", timestamp: 1 }] } });
      expect(client.context?.workspaceState?.openFiles?.[0]?.path).toBe("/after");
    };
    await eventually(look);
    expect([seed.sessions, states]).toEqual([1, []]);
  });

  test("leaves nobody waiting when it is closed", async () => {
    const served = await serveOurs();
    const client = createClient(served.host, served.folder);
    await client.connect();
    const outcome = client.openDiff(path.join(served.folder, "a.ts"), "x");
    await served.shown(path.join(served.folder, "a.ts"));
    const failed = expect(outcome).rejects.toThrow("the client was closed");
    await client.close();
    await failed;
  });
});
