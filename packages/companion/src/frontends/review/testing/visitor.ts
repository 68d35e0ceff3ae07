import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { type IncomingHttpHeaders, request } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { onTestFinished, vi } from "vitest";
import { WebSocket } from "ws";
import { privateFolder } from "../../../../../testkit/src/private-folder.ts";
import { ReviewSwitch } from "../../../agents/review-switch.ts";
import type { Companion } from "../../../companion.ts";
import type { Change } from "../../../core/changes/change.ts";
import { openCommentsFolder } from "../../../core/comments/comment.ts";
import { CommentsStore } from "../../../core/comments/comments-store.ts";
import type { Comment, DecisionResult, Proposal } from "../../../core/editor.ts";
import { EditsStore } from "../../../core/edits/edits-store.ts";
import { openEditsFolder } from "../../../core/edits/recovered-edits.ts";
import type { OnCompanionEvent } from "../../../core/events.ts";
import { History } from "../../../core/history/history.ts";
import { openHistoryFolder } from "../../../core/history/past-decision.ts";
import { Status } from "../../../core/status.ts";
import { Turns } from "../../../core/turns.ts";
import { WrittenLog } from "../../../core/written/written-log.ts";
import { WrittenWatch } from "../../../core/written/written-watch.ts";
import { readFileNow } from "../../../files/file-text.ts";
import { privateHost } from "../../../testing/core.ts";
import { createTestChange, type Decided } from "../../../testing/test-change.ts";
import type { StoredName } from "../../protocol/list-messages.ts";
import type { Listed } from "../../protocol/lists.ts";
import type { AnswerTo, FrontendMessage, PageMessage } from "../protocol.ts";
import { type ReviewFrontend, type ReviewFrontendOptions, startReviewFrontend } from "../review-frontend.ts";

/** A review frontend on a folder of the test's own, with a page of one line, closed after the test. */
export async function startTestFrontend(options: Partial<ReviewFrontendOptions> = {}) {
  const root = privateFolder();
  const assets = privateFolder();
  mkdirSync(join(assets, "assets"));
  writeFileSync(join(assets, "index.html"), '<!doctype html><meta name="csp-nonce" content="__CSP_NONCE__">');
  writeFileSync(join(assets, "assets", "main-ABCDEFG2.js"), "main();");
  writeFileSync(join(assets, "assets", "file-selector.js"), "select();");
  const started = await startReviewFrontend({ roots: [root], assets, ...options });
  onTestFinished(() => started.close());
  const status = new Status();
  // As the companion reports what happens: to its owner first, then to its parts.
  const onEvent: OnCompanionEvent = (event) => {
    started.onEvent(event);
    status.take(event);
    history.take(event);
  };
  const frontend: ReviewFrontend = Object.create(started, { onEvent: { value: onEvent } });
  const edits = new EditsStore({
    folder: openEditsFolder(privateFolder()),
    onChange: () => frontend.onEvent({ kind: "edits-changed" }),
  });
  const accepted: string[] = [];
  const turns = new Turns({
    accept: async (id) => void accepted.push(id),
    sharing: { check: async () => false },
    roots: () => [root],
  });
  onTestFinished(() => turns.close());
  const send = vi.fn<Companion["send"]>(async () => ({ kind: "unreached" }));
  const comments = new CommentsStore({
    folder: openCommentsFolder(privateFolder()),
    onChange: () => frontend.onEvent({ kind: "comments-changed" }),
  });
  const pastDecisions = openHistoryFolder(privateFolder());
  const history: History = new History({
    folder: pastDecisions,
    sharing: { check: async () => false },
    onWarning: () => {},
  });
  onTestFinished(() => history.flush());
  const sendComments = vi.fn<(id: string) => Promise<string | undefined>>(async () => undefined);
  const writtenLog = new WrittenLog(privateFolder());
  const { folder } = writtenLog;
  const written = new WrittenWatch({ folder, onTurn: () => {}, isSecret: async () => false });
  written.start();
  onTestFinished(() => written.close());
  const host = privateHost();
  const reviewSwitch = new ReviewSwitch(host, () => [root]);
  frontend.useCompanion({
    ...{ status, edits, comments, sendComments, history, written, reviewSwitch, send, turns },
  });
  const stores = { edits, comments, pastDecisions, turns, writtenLog };
  return { frontend, root, host, ...stores, sendComments, send, accepted };
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

/** Asks a frontend for something, with exactly these headers. */
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

/** How one gets in: a frontend, or what the terminal printed of one. */
export type Entrance = Pick<ReviewFrontend, "url" | "newLink">;

export async function admitVisitor(frontend: Entrance): Promise<Visitor> {
  const { headers } = await ask(frontend.newLink());
  const cookie = String(headers["set-cookie"]).split(";")[0] ?? "";
  const get: Visitor["get"] = (path, more = {}) => ask(frontend.url + path, { cookie, ...more });
  return {
    cookie,
    get,
    readFile: (path) => get(`api/file?path=${encodeURIComponent(path)}`),
    openPage: (key) => openPage(frontend, cookie, key),
  };
}

type Message<T extends FrontendMessage["type"]> = Extract<FrontendMessage, { readonly type: T }>;

/** A page without a pageState: it hears everything and says what the test tells it to. */
export interface TestPage {
  readonly socket: WebSocket;
  readonly heard: readonly FrontendMessage[];
  say(message: PageMessage): void;
  /** @throws Error with the trouble */
  ask<Type extends PageMessage["type"]>(
    message: Extract<PageMessage, { readonly type: Type }>,
  ): Promise<AnswerTo<Type>>;
  /** The first message of a kind that is as expected, past ones included; each is found once. */
  hear<T extends FrontendMessage["type"]>(
    type: T,
    isExpected?: (message: Message<T>) => boolean,
  ): Promise<Message<T>>;
  /** The same of a list of what the companion stores. */
  list<Name extends StoredName>(
    name: Name,
    isExpected?: (records: readonly Listed<Name>[]) => boolean,
  ): Promise<readonly Listed<Name>[]>;
  /** Takes what was heard until now as found. */
  forgetPast(): void;
  close(): Promise<void>;
}

async function openPage(frontend: Entrance, cookie: string, key?: string): Promise<TestPage> {
  const url = `${frontend.url.replace("http", "ws")}socket${key === undefined ? "" : `?page=${key}`}`;
  const socket = new WebSocket(url, { headers: { cookie }, origin: frontend.url.slice(0, -1) });
  const heard: FrontendMessage[] = [];
  const found = new Set<FrontendMessage>();
  socket.on("message", (data) => heard.push(JSON.parse(data.toString())));
  onTestFinished(() => socket.terminate());
  await once(socket, "open");

  async function hear<T extends FrontendMessage["type"]>(
    type: T,
    isExpected: (message: Message<T>) => boolean = () => true,
  ): Promise<Message<T>> {
    const isOfType = (message: FrontendMessage): message is Message<T> => message.type === type;
    for (;;) {
      for (const message of heard) {
        if (found.has(message) || !isOfType(message) || !isExpected(message)) continue;
        found.add(message);
        return message;
      }
      await once(socket, "message");
    }
  }

  async function list<Name extends StoredName>(
    name: Name,
    isExpected: (records: readonly Listed<Name>[]) => boolean = () => true,
  ) {
    const recordsOf = (one: { readonly records: unknown }) => one.records as readonly Listed<Name>[]; // as its name says
    return recordsOf(await hear("list", (one) => one.list === name && isExpected(recordsOf(one))));
  }

  let asked = 0;
  return {
    socket,
    heard,
    hear,
    async ask<Type extends PageMessage["type"]>(message: Extract<PageMessage, { readonly type: Type }>) {
      asked += 1;
      const ask = asked;
      socket.send(JSON.stringify({ ...message, ask }));
      const { answer, trouble } = await hear("answered", (one) => one.ask === ask);
      if (trouble !== undefined) throw new Error(trouble);
      return answer as AnswerTo<Type>; // as the frontend's table of answers has it
    },
    list,
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

/** A proposal as the companion passes it. */
export function proposalOf(filePath: string, newContent: string): Proposal {
  proposals += 1;
  const id = String(proposals);
  const agent = "Gemini CLI";
  const { file: base } = readFileNow(filePath);
  return { id, sessionId: "session", agent, filePath, newContent, base, openedAt: Date.now() };
}

/**
 * Opens a diff as the companion does: it takes the first decision and tells the outcome at once.
 * @param result instead of taking it
 */
export async function propose(
  frontend: ReviewFrontend,
  filePath: string,
  newContent: string,
  result?: DecisionResult,
) {
  const proposal = proposalOf(filePath, newContent);
  const decisions: Decided[] = [];
  const drafts: string[] = [];
  const comments: (readonly Comment[])[] = [];
  const decide = (decision: Decided): DecisionResult => {
    decisions.push(decision);
    if (result) return result;
    const settlement = { content: "", ...decision, by: "user" } as const;
    frontend.onEvent({ kind: "diff-settled", proposal, settlement });
    return { taken: true };
  };
  const change = createTestChange(
    proposal,
    decide,
    (text) => drafts.push(text),
    (list) => comments.push(list),
  );
  await frontend.editor.show(change);
  frontend.onEvent({ kind: "diff-opened", proposal });
  return { proposal, change, decisions, drafts, comments };
}

/** Closes a diff as the companion does for a CLI whose user has decided in the terminal. */
export async function closeInTerminal(frontend: ReviewFrontend, change: Change): Promise<string> {
  await frontend.editor.hide(change, "agent");
  change.end();
  const { proposal, text } = change;
  frontend.onEvent({ kind: "diff-settled", proposal, settlement: { kind: "closed", reason: "agent" } });
  return text;
}

/** A frontend with pages that have heard how things stand. */
export async function startWithPages(count = 1) {
  const { frontend, root, edits, turns, accepted } = await startTestFrontend();
  const visitor = await admitVisitor(frontend);
  const pages: TestPage[] = [];
  for (let index = 0; index < count; index += 1) pages.push(await visitor.openPage());
  for (const greeted of pages) {
    await greeted.list("history");
    greeted.forgetPast();
  }
  const [page, other] = pages;
  if (!page) throw new Error("a test needs a page");
  const path = join(root, "a.txt");
  writeFileSync(path, "one\ntwo\n");
  return { frontend, root, visitor, page, other: other ?? page, path, edits, turns, accepted };
}

/** The list of so many proposals. */
export const waiting = (page: TestPage, count = 1) =>
  page.hear("proposals", ({ proposals }) => proposals.length === count);
