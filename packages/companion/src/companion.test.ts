import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { Server } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { send } from "../../testkit/src/fake-cli/gemini-family.ts";
import { privateFolder } from "../../testkit/src/private-folder.ts";
import type { AgentFamily } from "./agents/family.ts";
import { DiscoveryFile } from "./agents/gemini-family/contract/discovery.ts";
import { startCompanion } from "./companion.ts";
import { createSharing } from "./core/sharing/sharing.ts";
import { privateHost, startCore } from "./testing/core.ts";
import { MemoryEditor } from "./testing/memory-editor.ts";

test("what the terminals and the files say is the same", async () => {
  const { companion, root } = await startCore();
  const file = companion.discoveryFiles.find((path) => path.includes("gemini")) ?? "";
  const { port, authToken } = DiscoveryFile.parse(JSON.parse(readFileSync(file, "utf8")));
  expect(companion.env).toMatchObject({
    GEMINI_CLI_IDE_SERVER_PORT: String(port),
    GEMINI_CLI_IDE_AUTH_TOKEN: authToken,
    GEMINI_CLI_IDE_WORKSPACE_PATH: root,
    QWEN_CODE_IDE_SERVER_PORT: String(port),
  });
});

test("other roots are in every file, and in the report of those who ask", async () => {
  const { companion, client } = await startCore();
  const folders = [privateFolder(), privateFolder()];
  await companion.setRoots(folders);
  const sent = companion.discoveryFiles.map((file) => {
    const { workspacePath, workspaceFolders } = JSON.parse(readFileSync(file, "utf8"));
    return workspacePath ?? workspaceFolders.join(":");
  });
  expect(new Set(sent)).toEqual(new Set([folders.join(":")]));
  const report = await send(companion.port, { method: "GET", path: "/health", headers: client().headers });
  expect(JSON.parse(report.body)).toMatchObject({ roots: folders });
});

test("nothing is sent to a prompt while sharing is paused, nor of a file that is kept from agents", async () => {
  const host = privateHost();
  const root = privateFolder();
  const sharing = createSharing({ host, roots: () => [root], exclude: () => ["*.secret"] });
  const companion = await startCompanion({ editor: new MemoryEditor(), roots: [root], host, sharing });
  onTestFinished(() => companion.close());
  const [plain, secret] = [join(root, "a.txt"), join(root, "a.secret")];
  const mentions = [{ path: plain }, { path: secret }];
  expect(await companion.send({ mentions })).toEqual({ kind: "excluded", path: secret });
  const diagnostics = [
    { filePath: secret, line: 1, character: 1, severity: "error", message: "no" } as const,
  ];
  expect(await companion.send({ diagnostics })).toEqual({ kind: "excluded", path: secret });
  expect(await companion.send({ mentions: [{ path: plain }] })).toEqual({ kind: "unreached" });
  sharing.pause(true);
  expect(await companion.send({ text: "why?" })).toEqual({ kind: "paused" });
  sharing.close();
});

test("comments that are to be sent twice at the same moment are typed once", async () => {
  const prompt = vi.fn(async () => "typed" as const);
  const family: AgentFamily = {
    agents: [],
    servesOwnClients: true,
    async serve(_agents, { sessions }) {
      sessions.open("Toy", { name: "toy", version: "1" }, { prompt });
      return { env: {}, discovery: [], close: async () => {} };
    },
  };
  const { companion } = await startCore({ families: [family] });
  const comment = { id: "1", side: "proposed", startLine: 1, endLine: 1, quote: "a", text: "Why?" } as const;
  companion.comments.add({ filePath: "/a.txt", agent: "Toy", reason: "", comments: [comment] });
  const [{ id } = { id: "" }] = companion.comments.list();
  const sent = [companion.sendComments(id), companion.sendComments(id)];
  expect(await Promise.all(sent)).toEqual(["Toy", "Toy"]);
  expect(prompt).toHaveBeenCalledOnce();
  expect(await companion.sendComments(id)).toBeUndefined();
});

test("after close there is neither a file nor a port", async () => {
  const { companion } = await startCore();
  const files = [...companion.discoveryFiles];
  await companion.close();
  expect(files.filter((file) => existsSync(file))).toEqual([]);
  await expect(send(companion.port, { method: "GET", path: "/health" })).rejects.toThrow("ECONNREFUSED");
});

test("where no file can be written the start is refused with the reason, and no port stays open", async () => {
  const blocked = join(privateFolder(), "not-a-folder");
  writeFileSync(blocked, "");
  const ports: number[] = [];
  const listen = vi.spyOn(Server.prototype, "listen").mockImplementation(function (this: Server, ...input) {
    this.once("listening", () => ports.push(Number(Object(this.address()).port)));
    listen.mockRestore();
    return Reflect.apply(this.listen, this, input);
  });
  const host = { ...privateHost(), tmp: blocked, home: blocked };
  const start = startCompanion({ editor: new MemoryEditor(), roots: [], host });
  await expect(start).rejects.toThrow(blocked);
  expect(ports).toHaveLength(1);
  await expect(send(ports[0] ?? 0, { method: "GET", path: "/health" })).rejects.toThrow("ECONNREFUSED");
});

test("when the system has no port left the start is rejected, and no file is written", async () => {
  // A mock: to really take all ports would disturb every other program of this machine.
  const listen = vi.spyOn(Server.prototype, "listen").mockImplementation(function (this: Server) {
    queueMicrotask(() =>
      this.emit("error", new Error("listen EADDRINUSE: address already in use 127.0.0.1")),
    );
    return this;
  });
  const host = privateHost();
  try {
    const start = startCompanion({ editor: new MemoryEditor(), roots: [], host });
    await expect(start).rejects.toThrow("EADDRINUSE");
  } finally {
    listen.mockRestore();
  }
  expect(existsSync(join(host.tmp, "gemini"))).toBe(false);
});
