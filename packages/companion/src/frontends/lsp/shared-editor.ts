import type { Editor, Proposal } from "../../core/editor.ts";
import { messageOf } from "../../system/error-message.ts";
import { KnownChanges } from "../known-changes.ts";
import { SharedChange } from "../shared-change.ts";
import type { ReviewFallback, ReviewPage } from "./review-fallback.ts";

/** The editor itself, and the review page: for what the editor cannot show (`onReview`), and next to it once it is open. */
export function createSharedEditor(
  primary: Editor,
  review: ReviewFallback,
  onReview: (proposal: Proposal, page: ReviewPage) => unknown,
) {
  const known = new KnownChanges<SharedChange>();
  const editor: Editor = {
    ...primary, // what only it can do: the page knows nothing of what is open there
    async show(change) {
      const shared = new SharedChange(change);
      known.add(change.id, shared);
      const refusal = await shared.showIn(primary).then(() => undefined, messageOf);
      // A page that cannot show it need not.
      if (refusal === undefined) return shared.showIn(review.started?.editor ?? primary).catch(() => {});
      const page = await review.page().catch((error: unknown) => {
        throw new Error(`${refusal}; and the review page: ${messageOf(error)}`);
      });
      await shared.showIn(page.editor);
      onReview(change.proposal, page);
    },
    hide: async ({ id }, reason) => known.get(id)?.hide(reason),
    flush: async ({ id }) => known.get(id)?.flush(),
    update: async ({ id }, rebase) => known.get(id)?.update(rebase),
  };
  return {
    editor,
    /** Shows what waits on the page too. @throws Error when its server cannot be started */
    async openPage(): Promise<ReviewPage> {
      const page = await review.page();
      await Promise.all(known.waiting.map((shared) => shared.showIn(page.editor)));
      return page;
    },
  };
}
