import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import {
  createMessageConnection,
  IPCMessageReader,
  IPCMessageWriter,
  type MessageConnection,
} from "vscode-languageserver/node";
import type { DiffOutcome, IdeContext } from "../../packages/companion/src/client/index.ts";
import { messageOf } from "../../packages/companion/src/system/error-message.ts";
import { type Cli, type CliOutcome, type CliSession, type Reply, usual } from "./cli.ts";
import { findDiscovered } from "./discovered.ts";
import type { Sandbox } from "./sandbox.ts";

interface Running {
  readonly child: ChildProcess;
  readonly connection: MessageConnection;
}

/** A CLI made with our client library, in a process that can be killed. */
export function createLibraryCli(sandbox: Sandbox): Cli {
  let running: Running | undefined;
  let count = 0;
  let forgetLast = () => {};

  function start(): Running {
    const script = join(import.meta.dirname, "library-cli-process.mjs");
    const child = sandbox.own(
      fork(script, [], { execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] }),
    );
    const connection = createMessageConnection(new IPCMessageReader(child), new IPCMessageWriter(child));
    connection.onError(() => {}); // killed while it is written to: its end answers
    connection.listen();
    child.once("exit", () => {
      connection.dispose();
      if (running?.child === child) running = undefined;
    });
    return { child, connection };
  }

  async function ask(request: string, params: object): Promise<Reply> {
    running ??= start();
    try {
      return { ok: true, text: (await running.connection.sendRequest<string | null>(request, params)) ?? "" };
    } catch (error) {
      return { ok: false, reason: messageOf(error) };
    }
  }

  async function kill(): Promise<void> {
    if (!running) return;
    running.child.kill("SIGKILL");
    await once(running.child, "exit");
  }

  return {
    name: "library",
    async connect(port): Promise<CliSession> {
      const { token } = findDiscovered(sandbox.host, port, "qwen");
      const name = `library-${++count}`;
      const outcomes: CliOutcome[] = [];
      let context: IdeContext | undefined;
      let waiting = 0;
      running ??= start();
      forgetLast();
      const heard = [
        running.connection.onNotification(`${name}/context`, (sent: IdeContext) => {
          context = sent;
        }),
        running.connection.onNotification(`${name}/ended`, ({ filePath, outcome }: Ended) => {
          waiting -= 1;
          if (outcome && outcome.kind !== "closed") outcomes.push({ filePath, ...outcome });
        }),
      ];
      forgetLast = () => heard.forEach((one) => void one.dispose());
      const connected = await ask("connect", { port, token, name });
      if (!connected.ok) throw new Error(connected.reason);
      return {
        label: name,
        behaviour: usual,
        outcomes,
        get context() {
          return context;
        },
        isStreaming: true,
        get waiting() {
          return waiting;
        },
        open(filePath, newContent) {
          waiting += 1;
          return ask("open", { name, filePath, newContent });
        },
        close: (filePath, suppressNotification) => ask("close", { filePath, suppressNotification }),
        async leave() {
          await ask("leave", {});
        },
        kill,
      };
    },
    close: kill,
  };
}

/** A diff has ended; without an outcome where it has failed. */
interface Ended {
  readonly filePath: string;
  readonly outcome?: DiffOutcome;
}
