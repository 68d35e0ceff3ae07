import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import nodePath from "node:path";
import type { FileOpener } from "../../core/editor.ts";
import type { Sharing } from "../../core/sharing/sharing.ts";
import { closeServer, httpLimits, listenOnLoopback } from "../../transport/loopback.ts";
import { createAccess, createPeerGuard } from "./access.ts";
import { createAnswers } from "./answers.ts";
import { createApi } from "./api.ts";
import { defaultAssets } from "./assets.ts";
import { answerPage } from "./conversation.ts";
import { createFileIndex } from "./file-index.ts";
import { createHttpSurface, toLink } from "./http-surface.ts";
import type { AgentChoice } from "./protocol.ts";
import { Review } from "./review.ts";
import { createSocketSurface } from "./socket-surface.ts";
import type { PageCompanion } from "./stored.ts";

export interface ReviewFrontendOptions {
  /** Absolute paths of the folders whose files the page shows. */
  readonly roots: readonly string[];
  /** Folder of the built page; by default where the library has it. */
  readonly assets?: string;
  /** The CLIs that are served, and how each is started: an empty page tells what to run. */
  readonly agents?: readonly AgentChoice[];
  /** By default any free one. */
  readonly port?: number;
  /** Signs the cookies. With the secret and the port of an earlier run, its open pages come back by themselves. */
  readonly secret?: string | Uint8Array;
  /** What the page's user pauses; the same as the companion's. */
  readonly sharing?: Pick<Sharing, "pause">;
  /** The editor in which the page's user can open files. */
  readonly opener?: FileOpener;
}

/** An editor in the browser. */
export type ReviewFrontend = Awaited<ReturnType<typeof startReviewFrontend>>;

/**
 * Opens the review page's server on 127.0.0.1.
 * @throws Error when the port cannot be listened on.
 */
export async function startReviewFrontend(options: ReviewFrontendOptions) {
  let { roots } = options;
  const server = createServer({ ...httpLimits, maxHeaderSize: 64 * 1024 }); // the browser sends every local server's cookies
  // A connection that cannot be taken the page tries again.
  const port = await listenOnLoopback(server, { port: options.port ?? 0, onTrouble: () => {} });
  const agents = options.agents?.map(({ displayName, command, connectCommand }) => ({
    displayName,
    command,
    connectCommand,
  }));
  const welcome = {
    instance: randomUUID(),
    separator: nodePath.sep,
    ...(agents ? { agents } : {}),
    ...(options.opener && { editor: options.opener.name }),
  };
  const review = new Review({
    roots: () => roots,
    stampOf: (path) => api.stampOf(path),
    ...(options.sharing && { sharing: options.sharing }),
    ...(options.opener && { opener: options.opener }),
  });
  const { pages } = review;
  const index = createFileIndex(() => roots);
  const api = createApi({ ...review, roots: () => roots, index });
  const access = createAccess({ port, ...(options.secret === undefined ? {} : { secret: options.secret }) });
  const refusePeer = createPeerGuard();
  const answers = createAnswers(port);
  const assets = options.assets ?? defaultAssets;
  const sockets = createSocketSurface({
    port,
    access,
    refusePeer,
    onPage: (page) => review.greet(page, { type: "welcome", roots, ...welcome }),
    onMessage: (page, message, ask) => void answerPage(page, message, review, ask),
    onGone: (page) => review.leave(page),
  });
  server.on("request", createHttpSurface({ port, access, refusePeer, answers, api, assets }));
  server.on("upgrade", sockets.upgrade);

  const url = `http://127.0.0.1:${port}/`;
  let closing: Promise<void> | undefined;
  return {
    editor: review.editor,
    /** Give it to the companion: the page shows sessions, context and outcomes. */
    onEvent: review.onEvent,
    /** `http://127.0.0.1:PORT/` */
    url,
    /** A link that opens the page once, within ten minutes. */
    newLink: () => toLink(port, access),
    /** How many pages are open now. */
    get pages() {
      return pages.count;
    },
    onPages: pages.onCount,
    /** Gives the page the companion that uses this editor: its recovered edits, and its agents' prompts. */
    useCompanion: (companion: PageCompanion) => review.useCompanion(companion),
    setRoots: (next: readonly string[]) => {
      roots = next;
      index.forget();
      pages.send({ type: "roots", roots });
      review.relabel();
    },
    close: () => {
      closing ??= closeServer(server, () => {
        sockets.close();
        index.forget();
        review.close();
      });
      return closing;
    },
  };
}
