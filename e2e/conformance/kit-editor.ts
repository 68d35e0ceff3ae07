import { randomUUID } from "node:crypto";
import { mkdir, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { isRunning, processTree } from "../../packages/testkit/src/process-tree.ts";
import { createSandbox, type Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";

/**
 * The actions of the kit's editor command, done as a user does them; one that is absent this editor has not. What one
 * resolves with is printed when it is a text.
 */
export type Drivers = Readonly<Record<string, (...words: string[]) => Promise<unknown>>>;

/** An editor that the kit has started. */
export interface KitEditor {
  readonly drivers: Drivers;
  /** Ends it as its user does by this signal, and waits until all of it has ended. */
  end(signal: NodeJS.Signals): Promise<void>;
}

interface Request {
  readonly words?: readonly string[];
  readonly signal?: NodeJS.Signals;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

interface Answer {
  readonly said?: string;
  readonly problem?: string;
  readonly code: number;
}

/** The kit's exit code for what an editor has not. */
const cannot = 3;

/**
 * Lets the kit start editors of a kind, and drive them by these tests' own drivers.
 * @param start is given a sandbox with the kit's folders and variables, which ends with the editor
 * @returns how the kit starts an editor, and calls its editor command
 */
export async function lendEditor(sandbox: Sandbox, start: (sandbox: Sandbox) => Promise<KitEditor>) {
  const path = join(sandbox.tmp, `kit-${randomUUID().slice(0, 8)}`);
  // The kit finds a companion before the whole of its editor is there.
  const editors = new Map<string, Promise<KitEditor>>();
  const sandboxes = new Set<Sandbox>();
  /** Folders of state that an editor has now. */
  const states = new Set<string | undefined>();
  const perform = async ({ env, words: [action = "", ...rest] = [] }: Request): Promise<Answer> => {
    const editor = await editors.get(folderOf(env));
    const act = editor?.drivers[action];
    if (!act) return { code: cannot, problem: `this editor has no "${action}"` };
    const said = await act(...rest);
    return { code: 0, ...(typeof said === "string" && { said }) };
  };
  const live = async (request: Request, signal: Promise<NodeJS.Signals>): Promise<Answer> => {
    const { XDG_STATE_HOME: state } = request.env;
    const isNext = states.has(state);
    states.add(state);
    const inner = await sandboxOf(request, isNext);
    sandboxes.add(inner);
    try {
      const starting = start(inner);
      editors.set(folderOf(request.env), starting);
      const { end } = await starting;
      await end(await signal);
      return { code: 0 };
    } finally {
      editors.delete(folderOf(request.env));
      sandboxes.delete(inner);
      if (!isNext) states.delete(state);
      await inner.close();
    }
  };
  const server = createServer(async (socket) => {
    socket.on("error", () => {}); // the kit's patience was at an end
    const lines = createInterface({ input: socket });
    const requests = lines[Symbol.asyncIterator]();
    const request: Request = JSON.parse((await requests.next()).value);
    const signal = requests.next().then(({ value }) => JSON.parse(value ?? '{"signal":"SIGKILL"}').signal);
    const work = request.words?.[0] === "start" ? live(request, signal) : perform(request);
    const answer = await work.catch((error: Error): Answer => ({ code: 1, problem: error.message }));
    socket.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  sandbox.own({
    async close() {
      server.close();
      // The kit may have given up one that had not started yet.
      for (const inner of sandboxes) await inner.close();
    },
  });
  const hook = [process.execPath, join(import.meta.dirname, "relay.mjs"), path];
  return { command: [...hook, "start"], hook };
}

/** Each start has a private folder. */
const folderOf = (env: Request["env"]) => env.CONFORMANCE_FOLDER ?? "";

/**
 * A private home, and for the rest what the kit has given. The next start in a folder has the state of the one before; an
 * editor next to another has a private state, since a second page of one user opens the first.
 */
async function sandboxOf({ cwd, env }: Request, isNextToAnother: boolean): Promise<Sandbox> {
  const own = await createSandbox();
  const { CLAUDE_CONFIG_DIR: config } = env;
  if (config !== undefined) {
    // The kit looks in this folder and in its own home folder, not in this one's.
    await mkdir(config, { recursive: true });
    await symlink(config, join(own.home, ".claude"));
  }
  const state = isNextToAnother && { XDG_STATE_HOME: join(own.home, "state") };
  return { ...own, tmp: env.TMPDIR ?? own.tmp, workspace: cwd, env: { ...env, HOME: own.home, ...state } };
}

/** For an editor that is a process. */
export const endsBySignal =
  (pid: number): KitEditor["end"] =>
  (signal) =>
    ended(pid, async () => process.kill(pid, signal));

/** Does what ends a process, and waits until it and all that it has started have ended: by themselves. */
export async function ended(pid: number, end: () => Promise<unknown>): Promise<void> {
  const pids = await processTree(pid);
  await end();
  for (const each of pids) {
    await poll(`end of process ${each}`, async () => !(await isRunning(each)), {
      every: 20,
    });
  }
}
