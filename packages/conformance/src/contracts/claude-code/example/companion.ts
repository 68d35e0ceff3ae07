import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { type Example, ExampleEditor, findProblems, selectionIn, textOf } from "../../../example/editor.ts";
import { isJson, parseJson } from "../../../wire/json-rpc.ts";
import { lockFolder, sweepLocks } from "../../lock-file.ts";
import { FrameSocket } from "../wire/frame-socket.ts";
import { type ClaudeRules, goodRules } from "./rules.ts";
import { ExampleSession, type SessionHost } from "./session.ts";

export interface ClaudeExampleOptions {
  readonly configFolder: string;
  readonly folders: readonly string[];
  /** How it differs from a good one. */
  readonly rules?: Partial<ClaudeRules>;
}

/**
 * A complete companion of Claude Code for a simulated editor: small enough to read, and good enough to pass every
 * check. A changed rule makes it a broken one.
 */
export async function startClaudeExample(options: ClaudeExampleOptions): Promise<Example> {
  const rules = { ...goodRules, ...options.rules };
  const editor = new ExampleEditor(options.folders, textOf);
  const sessions: ExampleSession[] = [];
  const streams = new Set<Duplex>();
  const state = rules.keepsAddress ? readState(options.configFolder) : {};
  const token = state.token ?? randomUUID();
  let before = 0;

  const selection = () => {
    const { active } = editor;
    if (!active) return rules.cleared;
    return rules.selection({ filePath: active.path, ...selectionIn(active) });
  };
  const host: SessionHost = {
    rules,
    editor,
    sessions,
    selection,
    diagnostics: (path) =>
      [...editor.files.values()]
        .filter((file) => path === undefined || file.path === path)
        .map((file) => ({
          uri: rules.toUri(file.path),
          diagnostics: findProblems(file.text).map((problem) => ({ ...problem, severity: "Error" })),
        })),
    die() {
      for (const stream of streams) stream.destroy();
    },
  };

  function accept(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    const refusal = rules.refuse({ headers: request.headers, port, token, before });
    if (refusal !== undefined) {
      stream.end(`HTTP/1.1 ${refusal} Refused\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
      return;
    }
    before += 1;
    if (rules.evicts) for (const other of sessions) other.evict();
    stream.write(`HTTP/1.1 101 Switching Protocols\r\n${upgradeHead(request, rules.subprotocol)}\r\n\r\n`);
    let session: ExampleSession | undefined;
    const socket = new FrameSocket(stream, { masks: false, head, onText: (text) => session?.hear(text) });
    const opened = new ExampleSession(host, socket);
    session = opened;
    sessions.push(opened);
    void socket.closed.then(() => {
      sessions.splice(sessions.indexOf(opened), 1);
      opened.end();
    });
  }

  const server = createServer((_, response) => response.writeHead(404).end());
  server.on("upgrade", (request, stream, head) => {
    streams.add(stream);
    stream.once("close", () => streams.delete(stream));
    accept(request, stream, head);
  });
  server.listen(state.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  if (rules.keepsAddress) writeState(options.configFolder, { port, token });

  const folder = lockFolder(options.configFolder);
  const announce = () => {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, rules.folderMode);
    sweepLocks(folder, rules.sweeps);
    for (const name of rules.locks(port)) {
      const path = join(folder, name);
      writeFileSync(path, JSON.stringify(rules.lockContent(editor.folders, token)));
      chmodSync(path, rules.lockMode);
    }
  };
  announce();
  editor.environment = rules.environment(port);
  editor.on("folders", () => rules.rewrites && announce());
  editor.on("change", () => {
    const receivers = rules.newestOnly ? sessions.slice(-1) : sessions;
    for (const session of receivers) session.notify("selection_changed", selection());
  });
  editor.on("mention", (filePath, first, last) => {
    const receivers = rules.mentionsAll ? sessions : sessions.slice(-1);
    const mention = { filePath, lineStart: first - 1, lineEnd: last - 1 };
    for (const session of receivers) session.notify("at_mentioned", mention);
  });
  return {
    editor,
    close() {
      if (rules.removes) for (const name of rules.locks(port)) rmSync(join(folder, name), { force: true });
      host.die();
      server.close();
    },
  };
}

/** One for the current folder, found where this user's CLIs look. */
export function startClaudeExampleHere(rules: Partial<ClaudeRules> = {}): Promise<Example> {
  const configFolder = process.env.CLAUDE_CONFIG_DIR ?? join(homedir(), ".claude");
  return startClaudeExample({ configFolder, folders: [process.cwd()], rules });
}

/** The answer that RFC 6455 asks for. */
function upgradeHead({ headers }: IncomingMessage, subprotocol: string | undefined): string {
  const key = `${headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const lines = [
    "upgrade: websocket",
    "connection: Upgrade",
    `sec-websocket-accept: ${createHash("sha1").update(key).digest("base64")}`,
    ...(subprotocol === undefined ? [] : [`sec-websocket-protocol: ${subprotocol}`]),
  ];
  return lines.join("\r\n");
}

interface State {
  readonly port?: number;
  readonly token?: string;
}

const statePath = (configFolder: string) => join(configFolder, "example-companion.json");

function readState(configFolder: string): State {
  try {
    const state = parseJson(readFileSync(statePath(configFolder), "utf8"));
    if (!isJson(state) || typeof state.port !== "number" || typeof state.token !== "string") return {};
    return { port: state.port, token: state.token };
  } catch {
    return {}; // the first start
  }
}

function writeState(configFolder: string, state: State): void {
  mkdirSync(configFolder, { recursive: true });
  writeFileSync(statePath(configFolder), JSON.stringify(state), { mode: 0o600 });
}
