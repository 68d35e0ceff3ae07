import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { holds } from "../../files/workspace-path.ts";
import { privateHost, startCore } from "../../testing/core.ts";
import type { LiveFinding } from "../agent.ts";
import { discoveryClients } from "../agents.ts";
import { gemini } from "../gemini-family/gemini/agent.ts";
import { chooseCompanion, findCompanions } from "./find-companions.ts";

describe("finding companions", () => {
  test("finds every file of a companion that runs, with roots and process", async () => {
    const { companion, host, root } = await startCore();
    const findings = await findCompanions(host, discoveryClients);
    const folders = discoveryClients
      .flatMap((agent) => agent.discoveryFolders(host))
      .map((folder) => folder.path);
    const withPort = companion.discoveryFiles.filter((file) => folders.includes(path.dirname(file)));
    expect(findings.map(({ file }) => file).toSorted()).toEqual(withPort.toSorted());
    for (const finding of findings) {
      expect(finding).toMatchObject({ result: "live", roots: [root], pid: process.pid });
    }
  });

  test("tells why a file leads nowhere", async () => {
    const host = privateHost();
    const folder = path.join(host.tmp, "gemini", "ide");
    mkdirSync(folder, { recursive: true });
    const put = (name: string, content: unknown) =>
      writeFileSync(path.join(folder, name), JSON.stringify(content));
    const live = process.pid;
    const { pid: dead } = spawnSync(process.execPath, ["--version"]);
    put(`gemini-ide-server-${dead}-1.json`, { port: 1 });
    put(`gemini-ide-server-${live}-1.json`, { port: 1, workspacePath: "" });
    put(`gemini-ide-server-${live}-2.json`, { port: 3, workspacePath: "" });
    put(`gemini-ide-server-${live}-3.json`, { port: 3 });
    put(`gemini-ide-server-${live}-4.json`, { port: "4" });
    put(`gemini-ide-server-${live}-5.json`, "text");
    const findings = await findCompanions(host, [gemini]);
    const reasons = findings.map((it) => it.result !== "live" && [it.result, it.reason]);
    expect(reasons.toSorted()).toEqual([
      ["damaged", "it does not say which folders its editor has open"],
      ["damaged", "it is not a JSON object"],
      ["damaged", "its name says port 2, its content 3"],
      ["damaged", "port: Invalid input: expected number, received string"],
      ["stale", "nothing of yours listens on port 1"],
      ["stale", `process ${dead} is gone`],
    ]);
  });

  test("finds nothing, and complains of nothing, on a machine without any", async () => {
    expect(await findCompanions(privateHost(), discoveryClients)).toEqual([]);
  });
});

describe("choosing the companion of a folder", () => {
  const toFinding = (port: number, change: Partial<LiveFinding> = {}): LiveFinding => ({
    agent: gemini,
    file: `/tmp/${port}.json`,
    result: "live",
    port,
    roots: ["/"],
    pid: 100,
    writtenAt: port,
    ...change,
  });
  const choose = (findings: readonly LiveFinding[], env: Record<string, string> = {}) =>
    chooseCompanion(findings, "/", env)?.chosen.port;

  test("a root holds itself, its subfolders, and what symlinks lead into it", () => {
    const folder = privateFolder();
    const root = path.join(folder, "root");
    mkdirSync(path.join(root, "..deep", "er"), { recursive: true });
    symlinkSync(root, path.join(folder, "link"));
    expect(holds([root], root)).toBe(true);
    expect(holds([root], path.join(root, "..deep", "er"))).toBe(true);
    expect(holds([root], path.join(folder, "link", "..deep"))).toBe(true);
    expect(holds([path.join(folder, "link")], root)).toBe(true);
    expect(holds(["/elsewhere", root], root)).toBe(true);
    expect(holds([root], folder)).toBe(false);
    expect(holds([root], `${root}-not`)).toBe(false);
    expect(holds([], root)).toBe(false);
  });

  test("of several the newest is chosen, and the others are named", () => {
    const choice = chooseCompanion([toFinding(1), toFinding(3), toFinding(2)], "/", {});
    expect(choice?.chosen.port).toBe(3);
    expect(choice?.others.map(({ port }) => port)).toEqual([2, 1]);
  });

  test("of nested folders the innermost is chosen, and the newest only among equals", () => {
    const folder = privateFolder();
    const [outer, inner] = [path.join(folder, "outer"), path.join(folder, "outer", "inner")];
    mkdirSync(path.join(inner, "deep"), { recursive: true });
    symlinkSync(outer, path.join(folder, "a-link-with-a-longer-name"));
    const findings = [
      toFinding(1, { roots: [inner] }),
      toFinding(2, { roots: [folder, inner] }),
      toFinding(3, { roots: [path.join(folder, "a-link-with-a-longer-name")] }),
    ];
    const choice = chooseCompanion(findings, path.join(inner, "deep"), {});
    expect([choice?.chosen, ...(choice?.others ?? [])].map((it) => it?.port)).toEqual([2, 1, 3]);
    expect(chooseCompanion(findings, outer, {})?.chosen.port).toBe(3);
    const named = chooseCompanion(findings, inner, { GEMINI_CLI_IDE_SERVER_PORT: "3" });
    expect(named?.chosen.port).toBe(3);
  });

  test("the terminal's process variable is stronger than age, its port variable stronger than both", () => {
    const findings = [toFinding(1, { pid: 7 }), toFinding(2), toFinding(3)];
    expect(choose(findings, { GEMINI_CLI_IDE_PID: "7" })).toBe(1);
    expect(choose(findings, { GEMINI_CLI_IDE_PID: "7", GEMINI_CLI_IDE_SERVER_PORT: "2" })).toBe(2);
  });

  test("an editor above this process is stronger than age, the nearest the strongest", () => {
    const findings = [toFinding(1, { pid: 7 }), toFinding(2, { pid: 8 }), toFinding(3, { pid: 9 })];
    const chosen = (...lineage: number[]) => chooseCompanion(findings, "/", {}, lineage)?.chosen.port;
    expect(chosen(50, 7)).toBe(1);
    expect(chosen(50, 8, 7)).toBe(2);
    expect(chosen(50)).toBe(3);
  });

  test("variables of a companion that has gone decide nothing", () => {
    const env = { GEMINI_CLI_IDE_PID: "8", GEMINI_CLI_IDE_SERVER_PORT: "9" };
    expect(choose([toFinding(1), toFinding(2)], env)).toBe(2);
  });

  test("one companion with several files is one companion", () => {
    const choice = chooseCompanion([toFinding(1), toFinding(1, { file: "/tmp/other" })], "/", {});
    expect(choice?.others).toEqual([]);
  });

  test("none is chosen for a folder outside of all roots", () => {
    expect(chooseCompanion([toFinding(1, { roots: ["/nowhere"] })], "/", {})).toBeUndefined();
  });
});
