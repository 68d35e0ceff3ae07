import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { type IncomingHttpHeaders, request } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import type { Decision, Proposal, Verdict } from "../../../editor.ts";
import { EditsStore, openEditsFolder } from "../../../edits/index.ts";
import { privateFolder } from "../../../testing/core.ts";
import type { DoorMessage, PageMessage } from "../protocol.ts";
import { type ReviewDoor, type ReviewDoorOptions, startReviewDoor } from "../review-door.ts";

/** A review door on a folder of the test's own, with a page of one line, closed after the test. */
export async function startTestDoor(options: Partial<ReviewDoorOptions> = {}) {
  const root = privateFolder();
  const assets = privateFolder();
  mkdirSync(join(assets, "assets"));
  writeFileSync(join(assets, "index.html"), '<!doctype html><meta name="csp-nonce" content="__CSP_NONCE__">');
  writeFileSync(join(assets, "assets", "main-ABCDEFG2.js"), "main();");
  writeFileSync(join(assets, "assets", "file-selector.js"), "select();");
  const door = await startReviewDoor({ roots: [root], version: "1.2.3", assets, ...options });
  onTestFinished(() => door.close());
  const edits = new EditsStore({
    folder: openEditsFolder(privateFolder()),
    onChange: () => door.onEvent({ kind: "edits-changed" }),
  });
  door.useEdits(edits);
  return { door, root, edits };
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As they came. */
  readonly bytes: Buffer;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests compare it with what they expect
  readonly json: any;
}

/** Asks a door for something, with exactly these headers. */
export async function ask(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  method = "GET",
): Promise<Answer> {
  const sent = request(url, { headers, method, agent: false }).end();
  const [response] = await once(sent, "response");
  const bytes = await buffer(response);
  const body = bytes.toString();
  const isPlain = response.headers["content-encoding"] === undefined;
  const isJson = isPlain && String(response.headers["content-type"]).startsWith("application/json");
  return {
    status: response.statusCode,
    headers: response.headers,
    bytes,
    body,
    json: isJson && body !== "" ? JSON.parse(body) : undefined,
  };
}

/** A browser that has been let in. */
export interface Visitor {
  readonly cookie: string;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  readFile(path: string): Promise<Answer>;
  openPage(key?: string): Promise<TestPage>;
}

/** How one gets in: a door, or what the terminal has told of one. */
export type Entrance = Pick<ReviewDoor, "url" | "newLink">;

export async function admitVisitor(door: Entrance): Promise<Visitor> {
  const { headers } = await ask(door.newLink());
  const cookie = String(headers["set-cookie"]).split(";")[0] ?? "";
  const get: Visitor["get"] = (path, more = {}) => ask(door.url + path, { cookie, ...more });
  return {
    cookie,
    get,
    readFile: (path) => get(`api/file?path=${encodeURIComponent(path)}`),
    openPage: (key) => openPage(door, cookie, key),
  };
}

type Message<T extends DoorMessage["type"]> = Extract<DoorMessage, { readonly type: T }>;

/** A page without a screen: it hears everything and says what the test tells it to. */
export interface TestPage {
  readonly socket: WebSocket;
  readonly heard: readonly DoorMessage[];
  say(message: PageMessage): void;
  /** The first message of a kind that is as expected, past ones included; each is found once. */
  hear<T extends DoorMessage["type"]>(
    type: T,
    isExpected?: (message: Message<T>) => boolean,
  ): Promise<Message<T>>;
  /** Takes what was heard until now as found. */
  forgetPast(): void;
  close(): Promise<void>;
}

async function openPage(door: Entrance, cookie: string, key?: string): Promise<TestPage> {
  const url = `${door.url.replace("http", "ws")}socket${key === undefined ? "" : `?page=${key}`}`;
  const socket = new WebSocket(url, { headers: { cookie }, origin: door.url.slice(0, -1) });
  const heard: DoorMessage[] = [];
  const found = new Set<DoorMessage>();
  socket.on("message", (data) => heard.push(JSON.parse(data.toString())));
  onTestFinished(() => socket.terminate());
  await once(socket, "open");

  async function hear<T extends DoorMessage["type"]>(
    type: T,
    isExpected: (message: Message<T>) => boolean = () => true,
  ): Promise<Message<T>> {
    const isOfType = (message: DoorMessage): message is Message<T> => message.type === type;
    for (;;) {
      for (const message of heard) {
        if (found.has(message) || !isOfType(message) || !isExpected(message)) continue;
        found.add(message);
        return message;
      }
      await once(socket, "message");
    }
  }

  return {
    socket,
    heard,
    hear,
    forgetPast: () => {
      for (const message of heard) found.add(message);
    },
    say: (message) => socket.send(JSON.stringify(message)),
    close: async () => {
      if (socket.readyState === WebSocket.CLOSED) return;
      const closed = once(socket, "close");
      socket.close();
      await closed;
    },
  };
}

let proposals = 0;

/** A proposal as the companion hands it over. */
export function proposalOf(filePath: string, newContent: string): Proposal {
  proposals += 1;
  const id = String(proposals);
  return { id, sessionId: "session", agent: "Gemini CLI", filePath, newContent, openedAt: Date.now() };
}

/**
 * Opens a diff as the companion does: it takes the first decision and tells the outcome at once.
 * @param verdict instead of taking it
 */
export async function propose(door: ReviewDoor, filePath: string, newContent: string, verdict?: Verdict) {
  const proposal = proposalOf(filePath, newContent);
  const decisions: Decision[] = [];
  const drafts: string[] = [];
  await door.editor.openDiff(
    proposal,
    (decision) => {
      decisions.push(decision);
      if (verdict) return verdict;
      const settlement = { ...decision, by: "user" } as const;
      door.onEvent({ kind: "diff-settled", proposal, settlement });
      return { taken: true };
    },
    (text) => drafts.push(text),
  );
  return { proposal, decisions, drafts };
}

/** Closes a diff as the companion does for a CLI whose user has decided in the terminal. */
export async function closeInTerminal(door: ReviewDoor, proposal: Proposal): Promise<string> {
  const draft = await door.editor.closeDiff(proposal.id, "agent");
  door.onEvent({ kind: "diff-settled", proposal, settlement: { kind: "closed", reason: "agent" } });
  return draft;
}
