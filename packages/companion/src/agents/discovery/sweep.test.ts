import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { Host } from "../../system/host.ts";
import { pidIsAlive } from "../../system/liveness.ts";
import { agents } from "../agents.ts";
import { sweep } from "./sweep.ts";

const alive = 1;
const dead = 2;
const isAlive = (pid: number) => pid === alive;
/** The port on which nothing listens. */
const silent = 4999;
const isServed = async (port: number) => port !== silent;

let host: Host;
let gemini: string;
let locks: string;

beforeEach(() => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "sweep-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  host = { tmp: path.join(folder, "tmp"), home: path.join(folder, "home"), env: {}, delimiter: ":" };
  gemini = path.join(host.tmp, "gemini", "ide");
  locks = path.join(host.home, ".qwen", "ide");
  for (const made of [gemini, locks]) mkdirSync(made, { recursive: true });
});

const put = (folder: string, name: string, content: unknown) =>
  writeFileSync(path.join(folder, name), typeof content === "string" ? content : JSON.stringify(content));

async function sweepAll() {
  const swept = await sweep(agents, host, { isAlive, isServed });
  return swept.map((file) => path.basename(file));
}

test("a file whose name holds a dead process goes", async () => {
  put(gemini, `gemini-ide-server-${dead}-5000.json`, { port: 5000 });
  put(gemini, `gemini-ide-server-${dead}.json`, { port: 5000 });
  put(gemini, `gemini-ide-server-${alive}-5000.json`, { port: 5000 });
  expect((await sweepAll()).sort()).toEqual([
    `gemini-ide-server-${dead}-5000.json`,
    `gemini-ide-server-${dead}.json`,
  ]);
  expect(readdirSync(gemini)).toEqual([`gemini-ide-server-${alive}-5000.json`]);
});

test("a lock goes with the process that its content names", async () => {
  put(locks, "5000.lock", { port: 5000, ppid: dead });
  put(locks, "5001.lock", { port: 5001, ppid: alive });
  expect(await sweepAll()).toEqual(["5000.lock"]);
});

test("the process that served the port decides where it is known, whatever became of the editor", async () => {
  put(locks, "5000.lock", { port: 5000, ppid: alive, serverPid: dead });
  put(locks, "5001.lock", { port: 5001, ppid: dead, serverPid: alive });
  expect(await sweepAll()).toEqual(["5000.lock"]);
});

test("a process id that now is a stranger's keeps no file: nothing listens on the port", async () => {
  put(locks, `${silent}.lock`, { port: silent, serverPid: alive });
  put(locks, "5000.lock", { port: 5000, serverPid: alive });
  put(gemini, `gemini-ide-server-${alive}-${silent}.json`, { port: silent, ppid: alive, serverPid: alive });
  expect((await sweepAll()).sort()).toEqual([`${silent}.lock`, `gemini-ide-server-${alive}-${silent}.json`]);
});

test("the file of another kind of companion is judged by its editor alone", async () => {
  put(gemini, `gemini-ide-server-${alive}-${silent}.json`, { port: silent });
  expect(await sweepAll()).toEqual([]);
});

test("a port is asked once, however many files name it", async () => {
  let asked = 0;
  for (const name of ["5000.lock", "5001.lock"]) put(locks, name, { port: 5000, serverPid: alive });
  const count = async () => {
    asked += 1;
    return true;
  };
  await sweep(agents, host, { isAlive, isServed: count });
  expect(asked).toBe(1);
});

test("one process of two that still lives keeps the file", async () => {
  put(gemini, `gemini-ide-server-${dead}-5000.json`, { port: 5000, ppid: alive });
  expect(await sweepAll()).toEqual([]);
});

test("a damaged file is judged by its name, and left where that tells nothing", async () => {
  put(gemini, `gemini-ide-server-${dead}-5000.json`, '{"port": 50');
  put(locks, "5000.lock", "");
  put(locks, "5001.lock", "null");
  expect(await sweepAll()).toEqual([`gemini-ide-server-${dead}-5000.json`]);
});

test("a temporary file left by a killed process goes, one of a process at work stays", async () => {
  put(gemini, `.gemini-ide-server-7-5000.json.${dead}-0123456789ab.tmp`, "");
  put(gemini, `.gemini-ide-server-7-5000.json.${alive}-0123456789ab.tmp`, "");
  put(gemini, `.something-else.json.${dead}-0123456789ab.tmp`, "");
  expect(await sweepAll()).toEqual([`.gemini-ide-server-7-5000.json.${dead}-0123456789ab.tmp`]);
});

test("symlinks, pipes and strangers' names are not touched", async () => {
  const target = path.join(host.tmp, "target");
  writeFileSync(target, JSON.stringify({ ppid: dead }));
  symlinkSync(target, path.join(locks, "5000.lock"));
  spawnSync("mkfifo", [path.join(locks, "5001.lock")]);
  put(locks, "5000.lock.bak", { ppid: dead });
  expect(await sweepAll()).toEqual([]);
  expect(existsSync(target)).toBe(true);
});

test("missing folders are nothing to complain about", async () => {
  rmSync(host.tmp, { recursive: true });
  rmSync(host.home, { recursive: true });
  expect(await sweepAll()).toEqual([]);
});

test("a process that exists is alive, also when it is another user's", () => {
  expect(pidIsAlive(process.pid)).toBe(true);
  expect(pidIsAlive(1)).toBe(true);
  expect(pidIsAlive(2 ** 31 - 2)).toBe(false);
});
