import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Host } from "../../system/host.ts";

import type { Address, Agent } from "../agent.ts";
import { geminiFamilyAgents as agents } from "../gemini-family/agents.ts";
import { gemini } from "../gemini-family/gemini/agent.ts";
import { qwen } from "../gemini-family/qwen/agent.ts";

import { type DiscoveryOptions, startDiscovery } from "./discovery.ts";

const port = 41_000;
let host: Host;

beforeEach(() => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "discovery-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  host = { tmp: path.join(folder, "tmp"), home: path.join(folder, "home"), env: {}, delimiter: ":" };
  mkdirSync(host.tmp);
  mkdirSync(host.home);
});

function toAddress(change: Partial<Address> = {}): Address {
  return {
    port,
    token: "token",
    roots: ["/one"],
    ide: { name: "test", displayName: "Test" },
    pid: process.pid,
    serverPid: process.pid,
    ...change,
  };
}

/** Nothing really does, on the ports of these tests. */
const everythingListens = { isServed: async () => true };

async function start(options: Partial<DiscoveryOptions> = {}, address: Partial<Address> = {}) {
  const warnings: string[] = [];
  const written: string[] = [];
  const discovery = await startDiscovery({
    agents,
    filesOf: (agent) => agent.discoveryFiles(toAddress({ token: `${agent.name}-token`, ...address }), host),
    splitRoots: () => toAddress(address).roots,
    host,
    onEvent(event) {
      if (event.kind === "warning") warnings.push(event.message);
      if (event.kind === "discovery-changed") written.push(...event.files);
    },
    liveness: everythingListens,
    ...options,
  });
  onTestFinished(() => discovery.remove());
  return { discovery, warnings, written };
}

/** @returns lets the time pass after which missing files are looked for */
function holdTime(): () => void {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  return () => void vi.advanceTimersByTime(5000);
}

const read = (file: string) => JSON.parse(readFileSync(file, "utf8"));
const inTmp = (...names: string[]) => path.join(host.tmp, ...names);
const lock = () => path.join(host.home, ".qwen", "ide", "41000.lock");

describe("a companion that starts", () => {
  test("writes every file of every agent, each with its agent's own token", async () => {
    const { discovery, warnings } = await start();
    expect(discovery.files).toEqual([
      inTmp("gemini", "ide", `gemini-ide-server-${process.pid}-41000.json`),
      inTmp("qwen", "ide", `qwen-code-ide-server-${process.pid}-41000.json`),
      lock(),
    ]);
    expect(discovery.files.map((file) => read(file).authToken)).toEqual([
      "gemini-token",
      "qwen-token",
      "qwen-token",
    ]);
    expect(warnings).toEqual([]);
  });

  test("keeps files and folders to itself, whatever the umask", async () => {
    const umask = process.umask(0);
    onTestFinished(() => void process.umask(umask));
    const { discovery } = await start();
    for (const file of discovery.files) expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const folder of [inTmp("gemini"), inTmp("gemini", "ide"), path.join(host.home, ".qwen", "ide")]) {
      expect(statSync(folder).mode & 0o777).toBe(0o700);
    }
  });

  test("tightens a folder of its user that others can enter", async () => {
    mkdirSync(inTmp("gemini"));
    chmodSync(inTmp("gemini"), 0o777);
    await start();
    expect(statSync(inTmp("gemini")).mode & 0o777).toBe(0o700);
  });

  test("leaves no temporary file behind", async () => {
    const { discovery } = await start();
    await discovery.rewrite();
    const names = [inTmp(), inTmp("gemini", "ide"), inTmp("qwen", "ide")].flatMap((it) => readdirSync(it));
    expect(names.filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });
});

describe("a folder that is not ours", () => {
  test("is refused when it is a symlink, and the other agents still get their files", async () => {
    mkdirSync(inTmp("elsewhere"));
    symlinkSync(inTmp("elsewhere"), inTmp("gemini"));
    const { discovery, warnings } = await start();
    expect(readdirSync(inTmp("elsewhere"))).toEqual([]);
    expect(discovery.files).toHaveLength(2);
    expect(warnings).toEqual([
      `Gemini CLI will not find this companion. ${inTmp("gemini")} is a symlink, and must be a folder of ` +
        "yours. Remove it and start again.",
    ]);
  });

  test("rejects the start when no other file could be written", async () => {
    writeFileSync(inTmp("gemini"), "");
    await expect(start({ agents: [gemini] })).rejects.toThrow(
      `${inTmp("gemini")} is a file, and must be a folder of yours.`,
    );
  });
});

describe("a file that cannot be written", () => {
  test("is a warning that names it, and the others are written", async () => {
    mkdirSync(lock(), { recursive: true });
    const { discovery, warnings } = await start();
    expect(discovery.files).toHaveLength(2);
    expect(warnings).toEqual([
      `Not every version of Qwen Code will find this companion. Cannot write ${lock()}: ` +
        "a folder is in the way. Remove that folder.",
    ]);
  });

  test("does not follow a symlink that somebody laid in its address", async () => {
    const victim = inTmp("victim");
    writeFileSync(victim, "precious");
    mkdirSync(path.dirname(lock()), { recursive: true });
    symlinkSync(victim, lock());
    await start();
    expect(readFileSync(victim, "utf8")).toBe("precious");
    expect(lstatSync(lock()).isSymbolicLink()).toBe(false);
  });
});

describe("a rewrite", () => {
  test("tells all agents the new roots", async () => {
    let roots: readonly string[] = ["/one"];
    const { discovery } = await start({
      filesOf: (agent) => agent.discoveryFiles(toAddress({ roots }), host),
    });
    roots = ["/one", "/two"];
    await discovery.rewrite();
    for (const file of discovery.files) expect(read(file).workspacePath).toBe("/one:/two");
  });

  test("puts back what somebody deleted, folders included", async () => {
    const { discovery } = await start();
    rmSync(inTmp("gemini"), { recursive: true });
    rmSync(path.join(host.home, ".qwen"), { recursive: true });
    await discovery.rewrite();
    for (const file of discovery.files) expect(existsSync(file)).toBe(true);
  });

  test("returns when a system clears its temporary folder", async () => {
    const passTime = holdTime();
    const { discovery, written } = await start();
    const [file = ""] = discovery.files;
    const others = discovery.files.slice(1).map((other) => statSync(other).ino);
    rmSync(inTmp("gemini"), { recursive: true });
    passTime();
    expect(discovery.files.filter(existsSync)).toHaveLength(3);
    expect(written).toEqual([file]);
    // Some CLIs take the newest file: those that were there are left as they are.
    expect(discovery.files.slice(1).map((other) => statSync(other).ino)).toEqual(others);
  });

  test("comes alone once it is possible, and what was in the way is reported once", async () => {
    const passTime = holdTime();
    const obstacle = lock();
    mkdirSync(obstacle, { recursive: true });
    const { discovery, warnings, written } = await start();
    passTime();
    expect(warnings).toHaveLength(1);
    rmSync(obstacle, { recursive: true });
    passTime();
    passTime();
    expect(discovery.files.filter(existsSync)).toHaveLength(3);
    expect(written).toEqual([obstacle]);
    expect(warnings).toHaveLength(1);
  });

  test("warns of a folder whose name agent CLIs would take for two", async () => {
    const { warnings } = await start({ agents: [gemini, qwen] }, { roots: ["/a:b", "/c"] });
    expect(warnings).toEqual([
      '/a:b has ":" in its name, by which agent CLIs tell folders apart: those started there will not find ' +
        "this companion.",
    ]);
  });

  test("after the removal brings nothing back", async () => {
    const { discovery } = await start();
    const files = discovery.files;
    discovery.remove();
    await discovery.rewrite();
    expect(files.filter(existsSync)).toEqual([]);
  });
});

describe("the removal", () => {
  test("takes all our files, at once and as often as it is asked", async () => {
    const { discovery } = await start();
    const files = discovery.files;
    discovery.remove();
    discovery.remove();
    expect(files.filter(existsSync)).toEqual([]);
    expect(discovery.files).toEqual([]);
  });

  test("leaves a file that another companion has put in the address of ours", async () => {
    const { discovery } = await start();
    const file = lock();
    writeFileSync(file, JSON.stringify({ port: 5, serverPid: process.ppid }));
    discovery.remove();
    expect(read(file).port).toBe(5);
  });

  test("does not mind that somebody was faster", async () => {
    const { discovery } = await start();
    rmSync(host.tmp, { recursive: true });
    expect(() => discovery.remove()).not.toThrow();
  });
});

test("two companions in one process have their own files", async () => {
  const first = await start({ agents: [qwen] });
  const second = await start({ agents: [qwen] }, { port: 42_000 });
  expect(second.discovery.files).toHaveLength(2);
  second.discovery.remove();
  expect(first.discovery.files.filter(existsSync)).toHaveLength(2);
});

describe("the sweep at start", () => {
  test("takes the files of a companion that was killed", async () => {
    const dead = await deadPid();
    const orphans = await abandon(dead, 5000);
    expect(orphans).toHaveLength(3);
    await start();
    expect(orphans.filter(existsSync)).toEqual([]);
  });

  test("leaves those of a live companion alone", async () => {
    const other = await start({}, { port: 42_000 });
    await start();
    expect(other.discovery.files.filter(existsSync)).toHaveLength(3);
  });

  /** A companion of `pid`, as after a crash. */
  async function abandon(pid: number, at: number): Promise<readonly string[]> {
    const filesOf = (agent: Agent) =>
      agent.discoveryFiles(toAddress({ token: agent.name, port: at, pid, serverPid: pid }), host);
    holdTime(); // a dead one puts nothing back
    const discovery = await startDiscovery({ agents, filesOf, host, onEvent: () => {} });
    return discovery.files;
  }
});

/** The id of a process that has been, and is no more. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(child, "exit");
  if (child.pid === undefined) throw new Error("node did not start");
  return child.pid;
}
