import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { WebSocket } from "ws";
import { endTree } from "../../packages/testkit/src/process-tree.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";

/** Debian's, which Playwright cannot drive: we call it by WebDriver BiDi. */
export const firefox = "/usr/bin/firefox-esr";

/** A proxy that is not there: nothing but this machine is in reach. */
const preferences = {
  "network.proxy.type": 1,
  "network.proxy.http": "127.0.0.1",
  "network.proxy.http_port": 9,
  "network.proxy.ssl": "127.0.0.1",
  "network.proxy.ssl_port": 9,
};

/** Calls a command of WebDriver BiDi. */
export type Call = <Result>(method: string, params: object) => Promise<Result>;

interface Answer {
  readonly id?: number;
  readonly type: "success" | "error" | "event";
  readonly result?: unknown;
  readonly message?: string;
  /** Of an entry in the console. */
  readonly params?: { readonly level: string; readonly text: string };
}

/** Starts one with a private profile, which ends with the sandbox. Errors in its console are faults. */
export async function startFirefox(sandbox: Sandbox): Promise<Call> {
  const profile = join(sandbox.tmp, "firefox");
  await mkdir(profile);
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`,
  );
  await writeFile(join(profile, "user.js"), lines.join(""));
  // The browser's own window has the input method.
  const flags = ["--headless", "--remote-debugging-port", "0", "--remote-allow-system-access"];
  const child = spawn(firefox, [...flags, "--profile", profile], { env: sandbox.env });
  const faults: string[] = [];
  sandbox.own({
    faults: () => faults,
    close: () => endTree(child),
  });
  const socket = new WebSocket(`${await addressOf(child)}/session`);
  await once(socket, "open");
  const calls = new Map<number | undefined, (answer: Answer) => void>();
  socket.on("message", (data) => {
    const answer: Answer = JSON.parse(String(data));
    calls.get(answer.id)?.(answer);
    if (answer.params?.level === "error") faults.push(`in Firefox's console: ${answer.params.text}`);
  });
  socket.on("close", () => {
    for (const answer of calls.values()) answer({ type: "error", message: "Firefox has ended" });
  });
  const call: Call = (method, params) =>
    new Promise((resolve, reject) => {
      const id = calls.size + 1;
      calls.set(id, ({ type, result, message }) => {
        if (type === "success") resolve(result as never);
        else reject(new Error(`${method}: ${message}`));
      });
      socket.send(JSON.stringify({ id, method, params }), (error) => error && reject(error));
    });
  await call("session.new", { capabilities: {} });
  await call("session.subscribe", { events: ["log.entryAdded"] });
  return call;
}

async function addressOf(child: ChildProcess): Promise<string> {
  let printed = "";
  child.stderr?.on("data", (text) => {
    printed += text;
  });
  const look = () => /WebDriver BiDi listening on (\S+)/.exec(printed)?.[1];
  return poll("address of Firefox", look, { describe: () => printed });
}
