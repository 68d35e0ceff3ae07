import type { Page } from "./page.ts";
import type { FrontendMessage } from "./protocol.ts";

/** Milliseconds that pages have to hand in unsent drafts. */
const flushTime = 500;

/** Notices that wait for the first page to open. */
const maxWaitingNotices = 20;

/** The pages that are open now. */
export interface Pages {
  readonly count: number;
  add(page: Page): void;
  remove(page: Page): void;
  onCount(listener: (count: number) => void): () => void;
  /** @param options.only of these, those that are open pages. */
  send(
    message: FrontendMessage,
    options?: { readonly except?: Page; readonly only?: readonly object[] },
  ): void;
  /** Tells people something; with no page open it waits for one. */
  notify(level: "info" | "warning" | "error", text: string): void;
  /**
   * Resolves when every page has handed in its unsent draft, or after half a second.
   * @param only of this page alone
   */
  flush(id: string, only?: { readonly id: string }): Promise<void>;
}

export function createPages(): Pages {
  const pages = new Set<Page>();
  const listeners = new Set<(count: number) => void>();
  let waiting: FrontendMessage[] = [];

  function tellCount(): void {
    for (const listener of listeners) listener(pages.size);
  }

  async function flush(id: string, only?: { readonly id: string }): Promise<void> {
    const asked = [...pages].filter((page) => only === undefined || page.id === only.id);
    if (asked.length === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, flushTime);
    });
    await Promise.race([Promise.all(asked.map((page) => page.flush(id))), deadline]);
    clearTimeout(timer);
  }

  return {
    get count() {
      return pages.size;
    },
    add: (page) => {
      pages.add(page);
      for (const notice of waiting) page.send(notice);
      waiting = [];
      tellCount();
    },
    remove: (page) => {
      page.gone();
      if (pages.delete(page)) tellCount();
    },
    onCount: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    send: (message, { except, only } = {}) => {
      for (const page of pages) {
        if (page !== except && (only === undefined || only.includes(page))) page.send(message);
      }
    },
    notify: (level, text) => {
      const notice: FrontendMessage = { type: "notice", level, text };
      if (pages.size === 0) waiting = [...waiting, notice].slice(-maxWaitingNotices);
      for (const page of pages) page.send(notice);
    },
    flush,
  };
}
