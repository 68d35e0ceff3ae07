import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { WebSocket } from "ws";
import { Listeners } from "../../system/listeners.ts";
import type { FrontendMessage } from "./protocol.ts";

/** Bytes that may wait for a page; a stuck tab must not grow the companion. */
const defaultBufferLimit = 64 * 1024 * 1024;

export type Page = ReturnType<typeof createPage>;

/** One open review page, at the other end of a socket. */
export function createPage(
  socket: Pick<WebSocket, "send" | "terminate" | "bufferedAmount" | "readyState" | "OPEN">,
  key: string | undefined,
  bufferLimit = defaultBufferLimit,
) {
  const flushes = new Map<string, (() => void)[]>();

  function send(message: FrontendMessage): void {
    if (socket.readyState !== socket.OPEN) return;
    // The page connects once more when it can, and is sent all that there is then.
    if (socket.bufferedAmount > bufferLimit) socket.terminate();
    else socket.send(JSON.stringify(message));
  }

  /** Asks for what is unsent of a proposal's draft. Resolves when the page has answered or is gone. */
  function flush(id: string): Promise<void> {
    if (socket.readyState !== socket.OPEN) return Promise.resolve();
    return new Promise((resolve) => {
      flushes.set(id, [...(flushes.get(id) ?? []), resolve]);
      send({ type: "flush", id });
    });
  }

  /** The page has answered `flush`. */
  function flushed(id: string): void {
    for (const resolve of flushes.get(id) ?? []) resolve();
    flushes.delete(id);
  }

  return {
    /** This socket's page, among all that there are and were. */
    id: randomUUID(),
    /** Survives a reload; undefined when the page does not say. */
    key,
    send,
    flush,
    flushed,
    /** The socket is closed. */
    gone: () => {
      for (const id of [...flushes.keys()]) flushed(id);
    },
  };
}

/** Milliseconds that pages have to hand in unsent drafts. */
const flushTime = 500;

/** Notices that wait for the first page to open. */
const maxWaitingNotices = 20;

export type Pages = ReturnType<typeof createPages>;

/** The pages that are open now. */
export function createPages() {
  const pages = new Set<Page>();
  const counts = new Listeners<[count: number]>();
  let waiting: FrontendMessage[] = [];

  /**
   * Resolves when every page has handed in its unsent draft, or after half a second.
   * @param only of this page alone
   */
  async function flush(id: string, only?: { readonly id: string }): Promise<void> {
    const asked = [...pages].filter((page) => only === undefined || page.id === only.id);
    if (asked.length === 0) return;
    const deadline = wait(flushTime, undefined, { ref: false });
    await Promise.race([Promise.all(asked.map((page) => page.flush(id))), deadline]);
  }

  return {
    get count() {
      return pages.size;
    },
    add: (page: Page) => {
      pages.add(page);
      for (const notice of waiting) page.send(notice);
      waiting = [];
      counts.tell(pages.size);
    },
    remove: (page: Page) => {
      page.gone();
      if (pages.delete(page)) counts.tell(pages.size);
    },
    onCount: counts.add,
    /** @param only of these, those that are open pages. */
    send: (
      message: FrontendMessage,
      { except, only }: { readonly except?: Page; readonly only?: readonly object[] } = {},
    ) => {
      for (const page of pages) {
        if (page !== except && (only === undefined || only.includes(page))) page.send(message);
      }
    },
    /** Tells people something; with no page open it waits for one. */
    notify: (level: "info" | "warning" | "error", text: string) => {
      const notice: FrontendMessage = { type: "notice", level, text };
      if (pages.size === 0) waiting = [...waiting, notice].slice(-maxWaitingNotices);
      for (const page of pages) page.send(notice);
    },
    flush,
  };
}
