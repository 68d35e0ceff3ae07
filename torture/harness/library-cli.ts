import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { DiffOutcome, IdeContext } from "../../packages/companion/src/client/index.ts";
import type { Behaviour, Cli, CliOutcome, CliSession, Reply } from "./cli.ts";
import { readDiscovered } from "./discovered.ts";
import type { Sandbox } from "./sandbox.ts";

/** What the process is asked to do. */
export type LibraryRequest =
  | { do: "connect"; session: number; port: number; token: string; name: string }
  | { do: "open"; session: number; filePath: string; newContent: string }
  | { do: "close"; filePath: string; suppressNotification: boolean }
  | { do: "leave" };

/** What it reports. */
export type LibraryNews =
  | { kind: "reply"; number: number; reply: Reply }
  | { kind: "settled"; session: number; filePath: string; outcome: DiffOutcome }
  | { kind: "failed"; session: number; filePath: string; reason: string }
  | { kind: "context"; session: number; context: IdeContext };

/** Announces that it has read the contract. */
const behaviour: Behaviour = {
  ignoresEmptyText: false,
  outwaitsCompanion: false,
  dropsByteOrderMark: false,
  takesNoEdits: false,
  holdsCalls: false,
};

interface Received {
  readonly outcomes: CliOutcome[];
  context: IdeContext | undefined;
  waiting: number;
}

/** A CLI made with our client library, in a process that can be killed. */
export function createLibraryCli(sandbox: Sandbox): Cli {
  let child: ChildProcess | undefined;
  let count = 0;
  const sessions = new Map<number, Received>();
  const waiting = new Map<number, (reply: Reply) => void>();

  function take(news: LibraryNews): void {
    if (news.kind === "reply") {
      waiting.get(news.number)?.(news.reply);
      waiting.delete(news.number);
      return;
    }
    const session = sessions.get(news.session);
    if (!session) return;
    if (news.kind === "context") session.context = news.context;
    else session.waiting -= 1;
    if (news.kind === "settled" && news.outcome.kind !== "closed") {
      session.outcomes.push({ filePath: news.filePath, ...news.outcome });
    }
  }

  function start(): ChildProcess {
    const started = sandbox.own(
      fork(join(import.meta.dirname, "library-cli-process.mjs"), [], {
        execArgv: [],
        stdio: ["ignore", "ignore", "inherit", "ipc"],
      }),
    );
    started.on("message", take);
    started.once("exit", () => {
      for (const settle of waiting.values()) settle({ ok: false, reason: "the CLI was killed" });
      waiting.clear();
      if (child === started) child = undefined;
    });
    return started;
  }

  function ask(request: LibraryRequest): Promise<Reply> {
    child ??= start();
    const number = ++count;
    const reply = new Promise<Reply>((resolve) => waiting.set(number, resolve));
    // One that is killed at this moment cannot be written to: its end answers.
    child.send({ number, ask: request }, () => {});
    return reply;
  }

  async function kill(): Promise<void> {
    const last = child;
    if (!last) return;
    last.kill("SIGKILL");
    await once(last, "exit");
  }

  return {
    name: "library",
    async connect(port): Promise<CliSession> {
      const file = readDiscovered(sandbox.host).find(
        (found) => found.port === port && found.agent === "qwen",
      );
      if (!file) throw new Error(`no discovery file has the port ${port}`);
      const number = ++count;
      const label = `library-${number}`;
      const own: Received = { outcomes: [], context: undefined, waiting: 0 };
      sessions.clear();
      sessions.set(number, own);
      const connected = await ask({ do: "connect", session: number, port, token: file.token, name: label });
      if (!connected.ok) throw new Error(connected.reason);
      return {
        label,
        behaviour,
        outcomes: own.outcomes,
        get context() {
          return own.context;
        },
        isStreaming: true,
        get waiting() {
          return own.waiting;
        },
        open(filePath, newContent) {
          own.waiting += 1;
          return ask({ do: "open", session: number, filePath, newContent });
        },
        close: (filePath, suppressNotification) => ask({ do: "close", filePath, suppressNotification }),
        async leave() {
          await ask({ do: "leave" });
        },
        kill,
      };
    },
    close: kill,
  };
}
