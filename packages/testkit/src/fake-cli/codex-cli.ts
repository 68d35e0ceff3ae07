import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { lstatSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { eventually } from "../eventually.ts";
import { FrameParser, toFrame } from "../frames.ts";

/** A message as it stands on the wire. */
export type Message = Record<string, unknown>;

/** Where Codex CLI asks first. */
export const codexSocket = ({ home }: { readonly home: string }) => join(home, ".codex", "ipc", "ipc.sock");

/** Where versions before 0.169 ask, and later ones after that. */
export const formerCodexSocket = ({ tmp }: { readonly tmp: string }) => {
  const uid = process.getuid?.() ?? 0;
  return join(tmp, "codex-ipc", uid === 0 ? "ipc.sock" : `ipc-${uid}.sock`);
};

/** A program on the socket that all companions share: a CLI with one question, or one that stays and is asked. */
export class IpcProgram {
  readonly socket: Socket;
  readonly heard: Message[] = [];
  isClosed = false;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on("error", () => {});
    socket.on("close", () => {
      this.isClosed = true;
    });
    const parser = new FrameParser((text) => this.heard.push(JSON.parse(text)));
    socket.on("data", (chunk) => parser.push(chunk));
  }

  /** Connects by the CLI's own checks of the folder and the socket. @param onEnd closes it after the test */
  static async connect(path: string, onEnd: (cleanup: () => void) => void): Promise<IpcProgram> {
    const [folder, socket] = [lstatSync(dirname(path)), lstatSync(path)];
    const own = process.getuid?.();
    if (!folder.isDirectory() || folder.uid !== own || folder.mode & 0o022) throw new Error("unsafe folder");
    if (!socket.isSocket() || socket.uid !== own) throw new Error("unsafe socket");
    const program = new IpcProgram(connect(path));
    onEnd(() => program.socket.destroy());
    await once(program.socket, "connect");
    return program;
  }

  /** Introduces itself, as programs do that stay. @returns its id */
  async initialize(clientType = "desktop"): Promise<string> {
    const answer = await this.ask({
      sourceClientId: "initializing-client",
      version: 0,
      method: "initialize",
      params: { clientType },
    });
    return String((answer.result as Message | undefined)?.clientId);
  }

  send(message: Message): void {
    this.socket.write(toFrame(JSON.stringify(message)));
  }

  /** @returns the whole response, once it is there */
  ask(request: Message): Promise<Message> {
    const requestId = randomUUID();
    this.send({ type: "request", requestId, ...request });
    return this.hear((message) => message.type === "response" && message.requestId === requestId);
  }

  /** The question of 0.169, on this connection. */
  askForContext(workspaceRoot: string, version = 0): Promise<Message> {
    const params = { workspaceRoot };
    return this.ask({ sourceClientId: "codex-tui", version, method: "ide-context", params });
  }

  hear(isMeant: (message: Message) => boolean): Promise<Message> {
    return eventually(() => {
      const message = this.heard.find(isMeant);
      if (!message) throw new Error(`not heard yet: ${JSON.stringify(this.heard)}`);
      return message;
    });
  }

  /** What it was sent of a type so far. */
  sent(type: string): Message[] {
    return this.heard.filter((message) => message.type === type);
  }
}

/** Codex CLI as a companion sees it: one connection for each question. */
export async function askAsCodex(
  path: string,
  workspaceRoot: string,
  onEnd: (cleanup: () => void) => void,
): Promise<Message> {
  const cli = await IpcProgram.connect(path, onEnd);
  const answer = await cli.askForContext(workspaceRoot);
  cli.socket.end();
  return answer;
}

/** The context of an answer, or its error. */
export const contextOf = ({ result, error }: Message): unknown =>
  (result as Message | undefined)?.ideContext ?? error;
