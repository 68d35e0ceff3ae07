import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { endTree } from "../../packages/testkit/src/process-tree.ts";
import { run } from "../../packages/testkit/src/run.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { patience } from "../../packages/testkit/src/waiting.ts";

/** A graphical screen that nobody sees, with a keyboard, a session bus, and no window manager. */
export type XScreen = Awaited<ReturnType<typeof startXScreen>>;

export async function startXScreen(sandbox: Sandbox) {
  const children: ChildProcess[] = [];
  let output = "";
  const start = (command: string, args: readonly string[], cwd: string, env: Record<string, string>) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    children.push(child);
    return child;
  };
  const server = start("Xvfb", xServer, sandbox.tmp, { ...sandbox.env });
  // It chooses a number that is free and tells it on its fourth stream.
  const display = await firstLine(server.stdio[3]);
  const bus = `unix:path=${join(sandbox.tmp, `bus-${display}`)}`;
  const busDaemon = start("dbus-daemon", [...busServer, `--address=${bus}`], sandbox.tmp, { ...sandbox.env });
  await firstLine(busDaemon.stdout);
  const env = { ...sandbox.env, DISPLAY: `:${display}`, DBUS_SESSION_BUS_ADDRESS: bus };
  return sandbox.own({
    ...createDrivers(env),
    /** What a program needs to appear on it. */
    env,
    /** Starts a program that ends with the screen at the latest. @returns its process id */
    start: (command: string, args: readonly string[], cwd: string) => start(command, args, cwd, env).pid ?? 0,
    describe: () => `--- screen ${display}\n${output.trimEnd()}`,
    async close() {
      for (const child of children.reverse()) await endTree(child);
    },
  });
}

const xServer = ["-displayfd", "3", "-screen", "0", "1280x900x24", "-nolisten", "tcp"];
const busServer = ["--session", "--nofork", "--print-address"];

function createDrivers(env: Readonly<Record<string, string>>) {
  const xdotool = async (...args: readonly string[]) => (await run("xdotool", args, { env })).stdout;
  const press = async (...keys: readonly string[]) => void (await xdotool("key", "--delay", "30", ...keys));
  return {
    /** Titles of the windows to be seen; a menu is one with none. */
    async titles() {
      // It ends with 1 when there is no window.
      const ids = await xdotool("search", "--onlyvisible", "--class", ".").catch(() => "");
      const names = ids.split("\n").filter(Boolean);
      // A window may be gone by now.
      const titles = names.map((id) => xdotool("getwindowname", id).catch(() => ""));
      return (await Promise.all(titles)).map((title) => title.trim());
    },
    /** Types text into the window that has the focus. */
    type: async (text: string) => void (await xdotool("type", "--delay", "5", "--", text)),
    /** Presses keys as xdotool names them: `ctrl+Home`, `Return`. */
    press,
    /** Copies what is selected. @returns what lies in the clipboard then */
    async copy() {
      await press("ctrl+c");
      const clipboard = run("xclip", ["-o", "-selection", "clipboard"], { env });
      return (await clipboard.catch(() => ({ stdout: "" }))).stdout; // it may be empty yet
    },
  };
}

async function firstLine(stream: unknown): Promise<string> {
  const lines = createInterface({ input: stream as Readable });
  const [line] = await once(lines, "line", { signal: AbortSignal.timeout(patience) });
  lines.close();
  return String(line);
}
