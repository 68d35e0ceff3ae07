import { ShowDocumentRequest } from "vscode-languageserver";
import { z } from "zod";
import type { Proposal } from "../../core/editor.ts";
import type { Ask } from "./asking.ts";
import type { Client } from "./client.ts";
import type { Notifier } from "./notifier.ts";
import type { ReviewPage } from "./review-fallback.ts";

/** Opens a link in the user's browser. @returns whether there is one, and it was started. */
export type OpenLink = (link: string) => Promise<boolean>;

export interface ReviewLinkOptions {
  readonly client: Client;
  readonly notifier: Notifier;
  readonly ask: Ask;
  readonly openLink: OpenLink;
}

/** Brings the user to the review page. */
export interface ReviewLink {
  offer(proposal: Proposal, page: ReviewPage): void;
}

const Shown = z.object({ success: z.boolean() });

export function createReviewLink({ client, notifier, ask, openLink }: ReviewLinkOptions): ReviewLink {
  /** By the editor if it can, which may run on another machine than the user's screen; else by ourselves. */
  async function open(page: ReviewPage): Promise<boolean> {
    if (!client.showsDocuments) return openLink(page.newLink());
    const params = { uri: page.newLink(), external: true };
    const isOpen = await ask(ShowDocumentRequest.method, params, { limit: 5000, answer: Shown }).then(
      ({ success }) => success,
      () => false, // it has promised more than it does
    );
    return isOpen || openLink(page.newLink());
  }

  async function offer({ agent, filePath }: Proposal, page: ReviewPage): Promise<void> {
    // A page that is open shows it.
    const isSeen = page.pages > 0 || (await open(page).catch(() => false)); // the message has a link
    // Each link works once: that of the message must not be the one that was opened.
    const message = `${agent} proposes a change of ${filePath}. Review it at ${page.newLink()}`;
    // Where nothing was opened nobody can decide without the link, and some editors show but errors at once.
    notifier.show(isSeen ? "info" : "error", message);
  }

  return { offer: (proposal, page) => void offer(proposal, page) };
}
