import { existsSync } from "node:fs";
import path from "node:path";
import spawn from "cross-spawn";
import { agents } from "../../agents/agents.ts";
import { editors } from "../../editors/editors.ts";
import type { Machine } from "../../editors/set-up/plan.ts";
import { toUserFolders, type UserFoldersOptions } from "../../editors/set-up/user-folders.ts";
import { findExecutable } from "../../system/host.ts";
import type { Invocation } from "../invocation.ts";
import { orList } from "../terminal/text.ts";

/** This machine. */
export function createMachine({ host, program }: Pick<Invocation, "host" | "program">): Machine {
  const { home, env } = host;
  return {
    host,
    platform: process.platform,
    userFolders: toUserFolders({ platform: process.platform, home, env }),
    plugins: path.join(program, "editors"),
    agentCommands: orList(agents.map(({ command }) => command))
      .map(({ value }) => value)
      .join(""),
    find: (name) =>
      findExecutable(name, host) ??
      knownFolders(name, { platform: process.platform, home, env }).find((file) => existsSync(file)),
    run: (name, args) => run(name, args, env),
  };
}

/**
 * Where a command-line tool lies when its editor was installed as its makers have it: an editor that brings one along may
 * not have put it into the PATH.
 */
export function knownFolders(program: string, options: UserFoldersOptions): readonly string[] {
  const name = editors.find(({ install }) => install?.programs.includes(program))?.install?.app;
  if (!name) return [];
  const { home, join } = toUserFolders(options);
  if (options.platform === "darwin") {
    const inApp = [`${name.mac}.app`, "Contents", "Resources", "app", "bin", program];
    return ["/Applications", join(home, "Applications")].map((folder) => join(folder, ...inApp));
  }
  if (options.platform !== "win32" || name.windows === undefined) return [];
  const own = join(options.env.LOCALAPPDATA ?? join(home, "AppData", "Local"), "Programs");
  const all = options.env.ProgramFiles ?? "C:\\Program Files";
  return [own, all].map((folder) => join(folder, name.windows ?? "", "bin", `${program}.cmd`));
}

/** Long enough for an editor that unpacks an extension, in milliseconds. */
const patience = 120_000;

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { env, stdio: ["ignore", "pipe", "pipe"] });
    const timer = setTimeout(() => {
      child.kill();
      // A shell script is one as a rule, and what it has started keeps its output open.
      for (const stream of [child.stdout, child.stderr]) stream?.destroy();
      reject(new Error(`${[program, ...args].join(" ")} has not ended within ${patience / 1000} s`));
    }, patience);
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout?.setEncoding("utf8").on("data", (text: string) => out.push(text));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => err.push(text));
    child.once("error", (error) => {
      clearTimeout(timer);
      reject(new Error(`${program} cannot be started: ${error.message}`));
    });
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      if (code === 0) return resolve(out.join(""));
      const last = `${err.join("")}\n${out.join("")}`.trim().split("\n").at(-1) ?? "";
      reject(new Error(`${[program, ...args].join(" ")} ended with ${code ?? signal}: ${last}`));
    });
  });
}
