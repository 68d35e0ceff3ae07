import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../../packages/testkit/src/run.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";

const [wine, server] = ["/usr/lib/wine/wine64", "/usr/lib/wine/wineserver64"];
const nodes = join(import.meta.dirname, "node_modules");

/** The `/usr` of Debian 13, whose Wine runs the Nodes that Debian 12's does not; it looks for its parts nowhere else. */
const newerUsr = join(import.meta.dirname, "../../.cache/trixie-wine/usr");

/** Every Node of Windows under test. */
export const versions = ["20", "22", "24", "26"];

/** Why nothing can be tested here; undefined when it can. @param version as in `22` */
export function missingFor(version: string): string | undefined {
  const absent = [inUsr(version, wine), nodeOf(version)].filter((path) => !existsSync(path));
  if (absent.length > 0) return `not installed: ${absent.join(", ")}`;
  if (!isNewer(version)) return undefined;
  try {
    execFileSync("unshare", ["--mount", "true"], { stdio: "pipe" });
    return undefined;
  } catch (error) {
    return `Wine 10 needs a mount namespace: ${error instanceof Error ? error.message.trim() : error}`;
  }
}

export const nodeOf = (version: string) => join(nodes, `node-${version}`, "bin", "node.exe");

/** Whether it needs Wine 10. */
export const isNewer = (version: string): boolean => Number(version) >= 24;

const inUsr = (version: string, path: string) => (isNewer(version) ? join(newerUsr, "..", path) : path);

/** A program of Wine, started where its own `/usr` is: nobody else sees that mount, and it ends with its processes. */
function commandOf(version: string, program: string): readonly string[] {
  if (!isNewer(version)) return [program];
  return ["unshare", "--mount", "sh", "-c", 'mount --bind "$0" /usr && exec "$@"', newerUsr, program];
}

/** Node of Windows, as Linux runs it, and as programs in Wine do. */
export type WindowsNode = Awaited<ReturnType<typeof startWindows>>;

/** Sets up a Windows 10 of this sandbox's own, whose drive Z is the whole machine. It ends with the sandbox. */
export async function startWindows(sandbox: Sandbox, version: string) {
  const folder = sandbox.path(".windows");
  await mkdir(folder);
  const env = {
    HOME: sandbox.home,
    PATH: sandbox.env.PATH,
    // Wine reads the names of files by it.
    LANG: "C.UTF-8",
    XDG_RUNTIME_DIR: folder,
    WINEPREFIX: join(folder, "prefix"),
    WINESERVER: server,
    WINEDEBUG: "-all",
    // Neither is there, and Wine would ask whether to fetch them.
    WINEDLLOVERRIDES: "mscoree,mshtml=",
  };
  const start = (program: string, ...args: readonly string[]) => {
    const [first = "", ...rest] = [...commandOf(version, program), ...args];
    return run(first, rest, { env });
  };
  const program = join(folder, "node");
  const windows = sandbox.own({
    /** Runs it with these arguments: a program of Linux. Its standard input is empty. */
    program,
    /** Its path in Wine. */
    path: nodeOf(version),
    /** Starts it in the terminal that this is run in, without its arguments. */
    inTerminal: [
      ...[
        "env",
        "-i",
        "TERM=xterm-256color",
        ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
      ],
      ...[...commandOf(version, wine), nodeOf(version)],
    ],
    /** Runs a script of `inside`. @returns the JSON that it has printed */
    async run(script: string, ...args: readonly string[]) {
      return (await run(program, [join(import.meta.dirname, "inside", script), ...args])).stdout;
    },
    async close() {
      // All programs of this Windows, and no other's.
      await start(server, "-k", "-w").catch(() => {}); // it has ended already
    },
  });
  const quoted = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
  const command = [...commandOf(version, wine), windows.path].map((word) => `'${word}'`);
  // Node reads and writes no pipes of Linux. The folders for temporary files are those of Windows.
  const lines = [
    "#!/bin/sh",
    `out=$(mktemp '${join(folder, "out.XXXXXX")}')`,
    `env -i ${quoted.join(" ")} ${command.join(" ")} "$@" </dev/null >"$out" 2>&1`,
    "code=$?",
    'cat "$out"',
    "exit $code",
  ];
  await writeFile(windows.program, `${lines.join("\n")}\n`, { mode: 0o755 });
  await start(wine, "reg", "add", "HKCU\\Software\\Wine", "/v", "Version", "/d", "win10", "/f");
  return windows;
}
