import type { ServedCompanion } from "../../companion.ts";
import type { Editor, FileOpener, Proposal } from "../../core/editor.ts";
import type { CompanionEvent, OnCompanionEvent } from "../../core/events.ts";
import type { Sharing } from "../../core/sharing/sharing.ts";
import { safeText } from "../../files/safe-text.ts";
import type { News } from "../protocol/list-messages.ts";
import { messages, type PageAnswer } from "../protocol/messages.ts";
import { showDocument } from "./notifier.ts";
import type { TierOptions } from "./tier.ts";

/** A page in the browser on which proposals are reviewed, as far as an editor needs it. */
export interface ReviewPage {
  readonly editor: Editor;
  readonly onEvent: OnCompanionEvent;
  /** A link that opens the page once. */
  newLink(): string;
  /** How many pages are open now. */
  readonly pages: number;
  setRoots(roots: readonly string[]): void;
  useCompanion(companion: ServedCompanion): void;
  close(): Promise<void>;
}

/** @throws Error when its server cannot be started */
export type StartReviewPage = (options: {
  readonly roots: readonly string[];
  readonly sharing: Sharing;
  readonly opener?: FileOpener;
}) => Promise<ReviewPage>;

export interface ReviewFallbackOptions {
  readonly startPage: StartReviewPage;
  readonly roots: () => readonly string[];
  readonly sharing: Sharing;
  /** The editor itself, where it opens files. */
  readonly opener?: FileOpener;
}

/** The review page, for what the editor itself cannot show; nothing of it runs until then. */
export type ReviewFallback = ReturnType<typeof createReviewFallback>;

export function createReviewFallback({ startPage, roots, ...options }: ReviewFallbackOptions) {
  let started: ReviewPage | undefined;
  let starting: Promise<ReviewPage> | undefined;
  let companion: ServedCompanion | undefined;
  let isSealed = false;

  async function start(): Promise<ReviewPage> {
    if (isSealed) throw new Error("the editor has ended");
    const page = await startPage({ roots: roots(), ...options });
    if (companion) page.useCompanion(companion);
    started = page;
    return page;
  }

  /** @throws Error when its server cannot be started, or may not be any more. */
  function page(): Promise<ReviewPage> {
    starting ??= start().catch((error: unknown) => {
      starting = undefined; // the next proposal may have better luck
      throw error;
    });
    return starting;
  }

  return {
    onEvent: (event: CompanionEvent) => started?.onEvent(event),
    /** The page, where it runs already. */
    get started() {
      return started;
    },
    page,
    useCompanion(next: ServedCompanion): void {
      companion = next;
      started?.useCompanion(next);
    },
    setRoots: (next: readonly string[]) => started?.setRoots(next),
    /** Lets no page be started from now on; one that there is stays until `close`. */
    seal(): void {
      isSealed = true;
    },
    async close(): Promise<void> {
      const page = await starting?.catch(() => undefined); // what did not start has nothing to close
      await page?.close();
    },
  };
}

/** Opens a link in the user's browser. @returns whether there is one, and it was started. */
export type OpenLink = (link: string) => Promise<boolean>;

/** Brings the user to the review page. */
export function createReviewLink(
  { client, notifier, ask }: Pick<TierOptions, "client" | "notifier" | "ask">,
  openLink: OpenLink,
) {
  /** By the editor if it can, which may run on another machine than the user's screen; else by ourselves. */
  async function open(page: ReviewPage): Promise<boolean> {
    if (!client.showsDocuments) return openLink(page.newLink());
    const params = { uri: page.newLink(), external: true };
    const isOpen = await ask(showDocument, params, { limit: 5000 }).then(
      ({ success }) => success,
      () => false, // it has promised more than it does
    );
    return isOpen || openLink(page.newLink());
  }

  let wasOpened = false;
  return {
    /** @returns what to say: with a link, where no browser has come for the one before */
    async open(page: ReviewPage): Promise<PageAnswer> {
      const hasFailed = wasOpened && page.pages === 0;
      wasOpened = !hasFailed && (await open(page).catch(() => false));
      return wasOpened
        ? { message: "The page opens in your browser. If not, ask once more for a link." }
        : { message: "The link to the page, which works once, is {place}.", copy: page.newLink() };
    },
    /** A proposal is to be seen there only. */
    async announce({ agent, filePath }: Proposal, page: ReviewPage): Promise<void> {
      // A page that is open shows it.
      const isSeen = page.pages > 0 || (await open(page).catch(() => false)); // the message says where it is
      const proposes = `${agent} proposes a change of ${filePath}.`;
      if (client.plugin) {
        const text = safeText(`${proposes} It waits on the review page.`);
        const news: News = { severity: "warning", text, list: "page" };
        return notifier.notify(messages.news.method, news);
      }
      // Each link works once: that of the message must not be the one that was opened.
      const link = page.newLink();
      // Who reads our keys in one line that may be cut gets the link whole.
      const message = client.keys ? `${link} is for review: ${proposes}` : `${proposes} Review it at ${link}`;
      // Where nothing was opened nobody can decide without the link, and some editors show but errors at once.
      notifier.show(isSeen ? "info" : "error", message);
    },
  };
}
