import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Resident, Sandbox } from "../../packages/testkit/src/sandbox.ts";

const [wine, server] = ["/usr/lib/wine/wine64", "/usr/lib/wine/wineserver64"];
const nodes = join(import.meta.dirname, "node_modules");

/** Node of Windows, as Linux runs it, and as programs in Wine do. */
export interface WindowsNode extends Resident {
  /** Runs it with these arguments: a program of Linux. Its standard input is empty. */
  readonly program: string;
  /** Its path in Wine. */
  readonly path: string;
}

/** Why nothing can be tested here; undefined when it can. @param version as in `22` */
export function missingFor(version: string): string | undefined {
  const absent = [wine, nodeOf(version)].filter((path) => !existsSync(path));
  return absent.length === 0 ? undefined : `not installed: ${absent.join(", ")}`;
}

const nodeOf = (version: string) => join(nodes, `node-${version}`, "bin", "node.exe");

/** Sets up a Windows 10 of this sandbox's own, whose drive Z is the whole machine. It ends with the sandbox. */
export async function startWindows(sandbox: Sandbox, version: string): Promise<WindowsNode> {
  const folder = sandbox.path(".windows");
  await mkdir(folder);
  const env = {
    HOME: sandbox.home,
    PATH: sandbox.env.PATH,
    // Wine reads the names of files by it.
    LANG: "C.UTF-8",
    WINEPREFIX: join(folder, "prefix"),
    WINEDEBUG: "-all",
    // Neither is there, and Wine would ask whether to fetch them.
    WINEDLLOVERRIDES: "mscoree,mshtml=",
  };
  const run = promisify(execFile);
  const windows = sandbox.own({
    program: join(folder, "node"),
    path: nodeOf(version),
    async close() {
      // All programs of this Windows, and no other's.
      await run(server, ["-k", "-w"], { env }).catch(() => {}); // it has ended already
    },
  });
  const quoted = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
  // Node reads and writes no pipes of Linux. The folders for temporary files are those of Windows.
  const lines = [
    "#!/bin/sh",
    `out=$(mktemp '${join(folder, "out.XXXXXX")}')`,
    `env -i ${quoted.join(" ")} ${wine} '${windows.path}' "$@" </dev/null >"$out" 2>&1`,
    "code=$?",
    'cat "$out"',
    "exit $code",
  ];
  await writeFile(windows.program, `${lines.join("\n")}\n`, { mode: 0o755 });
  await run(wine, ["reg", "add", "HKCU\\Software\\Wine", "/v", "Version", "/d", "win10", "/f"], { env });
  return windows;
}
