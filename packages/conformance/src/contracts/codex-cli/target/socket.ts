import { mkdtemp, realpath } from "node:fs/promises";
import { homedir, tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { createSandbox, type Sandbox, variablesFor } from "../../../target/folders.ts";
import { comeUp, end, launch, type Start, type Started } from "../../../target/process.ts";
import { Broken } from "../../check.ts";
import { contextOf, IpcClient, question } from "../wire/ipc.ts";

/** The companion under test. */
export interface CodexTarget {
  /** Where the CLI asks. */
  readonly socket: string;
  /** Where older versions ask. */
  readonly formerSocket: string;
  readonly name: string;
  /** The folder that the kit asks for. */
  readonly roots: readonly string[];
}

/** Where a CLI with these variables asks, and where older versions do. */
export function socketsOf({
  CODEX_HOME: named,
  HOME: home = homedir(),
  TMPDIR: tmp = tmpdir(),
}: NodeJS.ProcessEnv) {
  const { uid } = userInfo();
  return {
    socket: join(named ?? join(home, ".codex"), "ipc", "ipc.sock"),
    formerSocket: join(tmp, "codex-ipc", uid === 0 ? "ipc.sock" : `ipc-${uid}.sock`),
  };
}

/** Milliseconds until a companion that is there has answered. */
const patience = 2000;

/** @returns whether somebody answers a question about a folder */
export async function isAnswered(socket: string, folder: string): Promise<boolean> {
  const client = await IpcClient.connect(socket).catch(() => undefined);
  if (!client) return false;
  try {
    contextOf(await client.ask(question(folder), patience));
    return true;
  } catch (error) {
    if (error instanceof Broken) return false;
    throw error;
  } finally {
    client.close();
  }
}

export type StartedCodex = Started<CodexTarget>;

/** The CLI's own folder in a sandbox. */
export const codexHomeIn = ({ workspace }: Sandbox): string => join(dirname(workspace), "codex");

/** The socket in a sandbox. */
export const socketIn = (sandbox: Sandbox): string => join(codexHomeIn(sandbox), "ipc", "ipc.sock");

/**
 * Starts a companion by a command, and waits until a question about its folder is answered.
 * @throws Error with what it has printed, when it ends or does not come up in time
 */
export async function startCodex({ command, folder, within, ...start }: Start): Promise<StartedCodex> {
  const sandbox = start.sandbox ?? (await createSandbox(folder));
  await start.prepare?.(sandbox);
  const env = environment(sandbox, await mkdtemp(join(folder, "s")));
  const sockets = socketsOf(env);
  const workspace = await realpath(sandbox.workspace);
  const run = await launch(command, workspace, env);
  try {
    const where = `nobody answers for ${workspace} at ${sockets.socket}`;
    const find = async () => (await isAnswered(sockets.socket, workspace)) || undefined;
    await comeUp(run, find, { within, where });
    const target = { ...sockets, name: "the companion", roots: [workspace] };
    return { target, sandbox, pid: run.pid, env, end: (signal) => end(run, signal, within) };
  } catch (error) {
    await end(run, "SIGKILL", within);
    throw error;
  }
}

/** @param own a private folder of this start, for the sockets of editors: two starts may share a sandbox */
function environment(sandbox: Sandbox, own: string): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !/^CODEX/.test(name));
  return {
    ...Object.fromEntries(others),
    ...variablesFor(sandbox.systemFolders),
    CODEX_HOME: codexHomeIn(sandbox),
    // Where programs keep what outlasts them.
    XDG_STATE_HOME: join(dirname(sandbox.workspace), "state"),
    CONFORMANCE_FOLDER: own,
  };
}
