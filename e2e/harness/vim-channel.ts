import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import type { Terminal } from "./terminal.ts";

/** What a test asks of a Vim, other than what its user does; over a channel, since it is built without a server. */
export interface VimChannel {
  /** Of its vimrc: what connects it. */
  readonly config: string;
  /** Evaluates an expression of its script. */
  ask(expression: string): Promise<unknown>;
  /** Waits until an expression is true. */
  until(what: string, expression: string, terminal: Terminal): Promise<void>;
}

/** Waits for one Vim to connect. */
export async function startVimChannel(sandbox: Sandbox): Promise<VimChannel> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const waiting = new Map<number, (value: unknown) => void>();
  const connected = once(server, "connection").then(([socket]: Socket[]) => {
    if (socket === undefined) throw new Error("no socket");
    readAnswers(socket, waiting);
    return socket;
  });
  let lastId = 0;
  const ask = async (expression: string) => {
    const socket = await connected;
    // Vim's own ids are positive.
    const id = --lastId;
    const answer = new Promise((resolve) => waiting.set(id, resolve));
    socket.write(`${JSON.stringify(["expr", expression, id])}\n`);
    return answer;
  };
  sandbox.own({
    async close() {
      connected.then((socket) => socket.destroy()).catch(() => {}); // it never came
      await new Promise((resolve) => server.close(resolve));
    },
  });
  return {
    config: `let g:e2e = ch_open('127.0.0.1:${port}', #{mode: 'json', waittime: 60000})\n`,
    ask,
    until: (what, expression, terminal) =>
      poll(what, async () => ((await ask(expression)) ? true : undefined), {
        describe: terminal.screen,
      }).then(() => {}),
  };
}

/** A text as Vim's script has it. */
export function vimString(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function readAnswers(socket: Socket, waiting: Map<number, (value: unknown) => void>): void {
  let received = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    const lines = (received + text).split("\n");
    received = lines.pop() ?? "";
    for (const line of lines) {
      const [id, value]: [number, unknown] = JSON.parse(line);
      waiting.get(id)?.(value);
      waiting.delete(id);
    }
  });
  socket.on("error", () => {}); // Vim was killed
}
