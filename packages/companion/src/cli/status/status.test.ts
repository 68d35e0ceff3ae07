import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { agents, discoveryClients } from "../../agents/agents.ts";
import type { DeadFinding } from "../../agents/discovery/find-companions.ts";
import { qwen } from "../../agents/gemini-family/qwen/agent.ts";
import { createPaint } from "../../core/paint.ts";
import { privateHost, startCore } from "../../testing/core.ts";
import { toDuration } from "../terminal/text.ts";
import { describeSurvey } from "./status-command.ts";
import { survey } from "./survey.ts";

describe("the survey", () => {
  test("has one entry for a companion with all its files, and what it says of itself", async () => {
    const { companion, host, root, client } = await startCore();
    const cli = client("gemini");
    await cli.initialize();
    const { companions, dead } = await survey(host);
    expect(dead).toEqual([]);
    expect(companions).toHaveLength(1);
    const folders = discoveryClients
      .flatMap((agent) => agent.discoveryFolders(host))
      .map((folder) => folder.path);
    const withPort = companion.discoveryFiles.filter((file) => folders.includes(path.dirname(file)));
    expect(companions[0]?.findings.map(({ file }) => file).toSorted()).toEqual(withPort.toSorted());
    expect(companions[0]?.health).toMatchObject({ status: "ok", roots: [root], sessions: [{}] });
    expect(companions[0]?.agents).toEqual(agents);
  });

  test("names no agent that a companion does not serve", async () => {
    const { host } = await startCore({ agents: [qwen] });
    const { companions } = await survey(host);
    expect(companions.map((each) => each.agents)).toEqual([[qwen]]);
  });

  test("does not wait for a companion that hangs", async () => {
    const host = privateHost();
    const server = createServer(() => {}).listen(0, "127.0.0.1");
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const folder = path.join(host.tmp, "gemini", "ide");
    mkdirSync(folder, { recursive: true });
    const file = path.join(folder, `gemini-ide-server-${process.pid}-${port}.json`);
    writeFileSync(file, JSON.stringify({ port, workspacePath: "/one", authToken: "secret" }));
    const { companions } = await survey(host);
    expect(companions[0]?.health).toEqual({ status: "silent", reason: "does not answer within a second" });
  });
});

describe("its text", () => {
  const paint = createPaint(false);
  const standpoint = { now: 100_000, home: "/home/ada" };

  test("tells who is connected and what waits, and never a token", async () => {
    const { host, root, client, editor } = await startCore();
    const cli = client("gemini");
    await cli.initialize();
    await cli.call("openDiff", { filePath: path.join(root, "a\u202Eb.ts"), newContent: "x" });
    expect(editor.diffs.size).toBe(1);
    const found = await survey(host);
    const text = describeSurvey(found, { now: Date.now(), home: host.home }, paint).join("\n");
    expect(text).toContain(`Memory  ${root}`);
    // It has a port for each family of agents, and is one companion.
    expect(found.companions).toHaveLength(1);
    expect(new Set(found.companions[0]?.findings.map(({ agent }) => agent))).toEqual(
      new Set(discoveryClients.filter((agent) => agent.discoveryFolders(host).length > 0)),
    );
    expect(text).toMatch(/Gemini CLI connected, but its stream is down for \d+ s/);
    expect(text).toMatch(/waits for a decision: .*a\\u\{202e\}b\.ts by Gemini CLI, for \d+ s/);
    for (const { token } of found.companions[0]?.findings ?? []) {
      expect(text).not.toContain(token);
    }
  });

  test("says what to do where none runs, and why a file leads nowhere", () => {
    const dead: readonly DeadFinding[] = [
      { agent: qwen, file: "/home/ada/.qwen/ide/1.lock", result: "stale", reason: "process 9 is gone" },
    ];
    const text = describeSurvey({ companions: [], dead }, standpoint, paint);
    expect(text).toEqual([
      "No companion runs.",
      "Start one: ide-companion",
      "",
      "Discovery files that lead nowhere",
      "  ~/.qwen/ide/1.lock  process 9 is gone",
    ]);
  });

  test("has times that people read", () => {
    expect(toDuration(-5)).toBe("0 s");
    expect(toDuration(59_999)).toBe("59 s");
    expect(toDuration(60_000)).toBe("1 min");
    expect(toDuration(3_720_000)).toBe("1 h 2 min");
  });
});
