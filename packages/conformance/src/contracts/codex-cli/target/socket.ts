import { realpath } from "node:fs/promises";
import { homedir, tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import type { Sandbox } from "../../../target/folders.ts";
import { type Start, type Started, startCompanion } from "../../../target/process.ts";
import type { Json } from "../../../wire/json-rpc.ts";
import { Broken } from "../../check.ts";
import type { GivenMeans } from "../../contract.ts";
import type { Rules } from "../../rule.ts";
import type { CodexFault } from "../faults.ts";
import { contextOf, IpcClient, question } from "../wire/ipc.ts";
import { type Router, startRouter } from "../wire/router.ts";

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

/** @param within milliseconds @returns whether somebody answers a question about a folder */
export async function isAnswered(socket: string, folder: string, within: number): Promise<boolean> {
  const client = await IpcClient.connect(socket).catch(() => undefined);
  if (!client) return false;
  try {
    contextOf(await client.ask(question(folder), within));
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
const codexHomeIn = ({ workspace }: Sandbox): string => join(dirname(workspace), "codex");

/** The socket in a sandbox. */
export const socketIn = (sandbox: Sandbox): string => join(codexHomeIn(sandbox), "ipc", "ipc.sock");

export const startCodex = (start: Start): Promise<StartedCodex> =>
  startCompanion(start, {
    foreign: /^CODEX/,
    variables: (sandbox) => ({ CODEX_HOME: codexHomeIn(sandbox) }),
    async search(env, sandbox) {
      const sockets = socketsOf(env);
      const workspace = await realpath(sandbox.workspace);
      const target = { ...sockets, name: "the companion", roots: [workspace] };
      return {
        where: `nobody answers for ${workspace} at ${sockets.socket}`,
        find: async () =>
          (await isAnswered(sockets.socket, workspace, start.within / 10)) ? target : undefined,
      };
    },
  });

/** The folder that the kit asks a companion for. */
export const rootOf = ({ target: { roots } }: { readonly target: CodexTarget }): string => roots[0] ?? "";

/** What a check of this contract may use. */
export type Means = ReturnType<typeof createMeans>;

export function createMeans({ common, clis, evidence }: GivenMeans<CodexTarget>) {
  /** Connects as the CLI. @param socket of the companion under test unless given */
  const connect = async (socket = common.target.socket): Promise<IpcClient> => {
    const client = await IpcClient.connect(socket, evidence);
    clis.add(() => client.close());
    return client;
  };
  return {
    ...common,
    connect,
    /** The folder that the kit asks for. */
    root: rootOf(common),
    /** Asks as the CLI does, by a new connection. @returns the response */
    async ask(request: object, socket?: string): Promise<Json> {
      const client = await connect(socket);
      try {
        return await client.ask(request, common.limits.answer);
      } finally {
        client.close();
      }
    },
  };
}

/** Starts a companion where another program owns the socket. */
export async function withRouter(
  { start }: Means,
  run: (router: Router, companion: StartedCodex) => Promise<void>,
): Promise<void> {
  let router: Router | undefined;
  try {
    const companion = await start({
      async prepare(sandbox) {
        router = await startRouter(socketIn(sandbox));
      },
    });
    if (router) await run(router, companion);
  } finally {
    await router?.close();
  }
}

export type CodexGroup = Rules<Means, CodexFault>;
