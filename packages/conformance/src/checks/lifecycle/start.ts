import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, watch } from "node:fs";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { type FileKind, folderOf, type Places, recognise } from "../../target/discovery-file.ts";
import { isListening } from "../../target/found-companion.ts";
import type { World } from "../../target/started-companion.ts";
import { demand, demandNone } from "../../verdict.ts";
import type { Bench, Check } from "../check.ts";

const kinds = ["gemini", "qwen", "qwen-lock"] as const;

export const serverFirst: Check = {
  id: "server-first",
  title: "the server listens before its files appear",
  requirements: ["L1"],
  lane: "process",
  needs: ["command"],
  async run({ start, note }) {
    const tries: Promise<{ name: string; listens: boolean }>[] = [];
    const controller = new AbortController();
    const prepare = async ({ places }: World) => {
      for (const folder of kinds.map((kind) => folderOf(kind, places))) {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        watch(folder, { signal: controller.signal }, (_, name) => {
          const port = name === null ? undefined : recognise(folder, name, places)?.port;
          if (port === undefined || name === null) return;
          tries.push(
            (port === 0 ? Promise.resolve(false) : isListening(port)).then((listens) => ({ name, listens })),
          );
        });
      }
    };
    try {
      await start({ prepare });
      const tried = await Promise.all(tries);
      note(
        `Tried as soon as they appeared: ${tried.map(({ name, listens }) => `${name} ${listens}`).join(", ")}`,
      );
      const early = tried.filter(({ listens }) => !listens);
      demandNone([...new Set(early.map(({ name }) => `when ${name} appeared, nobody listened yet`))]);
    } finally {
      controller.abort();
    }
  },
};

/** Writes the files that a companion of this process would have. @returns their paths */
async function plant(places: Places, workspace: string, pid: number, port: number): Promise<string[]> {
  const ideInfo = { name: "planted", displayName: "Planted" };
  const common = { port, workspacePath: workspace, authToken: "planted-planted-planted", ideInfo };
  const names: Readonly<Record<(typeof kinds)[number], string>> = {
    gemini: `gemini-ide-server-${pid}-${port}.json`,
    qwen: `qwen-code-ide-server-${pid}-${port}.json`,
    "qwen-lock": `${port}.lock`,
  };
  const planted: string[] = [];
  for (const kind of kinds) {
    const folder = folderOf(kind, places);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, names[kind]);
    await writeFile(file, JSON.stringify(kind === "qwen-lock" ? { ...common, ppid: pid } : common), {
      mode: 0o600,
    });
    planted.push(file);
  }
  return planted;
}

/** The kinds of files that a companion has, since it need not care for others. */
async function ownKinds(
  start: Bench["start"],
  prepare: (world: World) => Promise<void>,
): Promise<readonly FileKind[]> {
  const { target, files } = await start({ prepare });
  return (await files()).filter(({ content }) => content?.port === target.port).map(({ kind }) => kind);
}

export const sweep: Check = {
  id: "sweep",
  title: "what a dead companion has left is swept away by the next start",
  requirements: ["L5"],
  lane: "process",
  needs: ["command"],
  async run({ start }) {
    const dead = spawn(process.execPath, ["-e", ""], { stdio: "ignore" });
    await once(dead, "exit");
    let planted: string[] = [];
    const own = await ownKinds(start, async ({ places, workspace }) => {
      planted = await plant(places, workspace, dead.pid ?? 0, 9);
    });
    const left = planted.filter((file, index) => existsSync(file) && own.includes(kinds[index] ?? "gemini"));
    demandNone(left.map((file) => `${file} of the dead process ${dead.pid} is still there`));
  },
};

export const livingFiles: Check = {
  id: "living-files",
  title: "files of processes that live are left alone, however old",
  requirements: ["L6"],
  lane: "process",
  needs: ["command"],
  async run({ start }) {
    const neighbour = createServer();
    neighbour.listen(0, "127.0.0.1");
    await once(neighbour, "listening");
    try {
      const address = neighbour.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      let planted: string[] = [];
      await ownKinds(start, async ({ places, workspace }) => {
        planted = await plant(places, workspace, process.pid, port);
        const longAgo = new Date(Date.now() - 30 * 24 * 3_600_000);
        for (const file of planted) await utimes(file, longAgo, longAgo);
      });
      const lost = planted.filter((file) => !existsSync(file));
      demand(
        lost.length === 0,
        `it has removed ${lost.join(", ")}, of a process that lives and serves that port`,
      );
    } finally {
      neighbour.close();
    }
  },
};
