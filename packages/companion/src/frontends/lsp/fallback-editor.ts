import type { Editor, Proposal, ShownChange } from "../../core/editor.ts";
import type { ReviewFallback, ReviewPage } from "./review-fallback.ts";

export interface FallbackEditorOptions {
  readonly primary: Editor;
  readonly review: ReviewFallback;
  /** A proposal is to be seen in the page only. */
  readonly onReview: (proposal: Proposal, page: ReviewPage, why: Error) => unknown;
}

/** The editor itself as long as it can show a proposal, and the review page for every one that it cannot. */
export function createFallbackEditor({ primary, review, onReview }: FallbackEditorOptions): Editor {
  const inReview = new WeakSet<ShownChange>();
  const holder = async (change: ShownChange) =>
    inReview.has(change) ? (await review.page()).editor : primary;
  return {
    info: primary.info,
    pid: primary.pid,
    // What only the editor itself can do: the page knows nothing of what is open there.
    ...(primary.openFile && { openFile: primary.openFile.bind(primary) }),
    ...(primary.getDiagnostics && { getDiagnostics: primary.getDiagnostics.bind(primary) }),
    ...(primary.readTerminal && { readTerminal: primary.readTerminal.bind(primary) }),
    ...(primary.typeInTerminal && { typeInTerminal: primary.typeInTerminal.bind(primary) }),
    onContext: (listener) => primary.onContext(listener),
    async show(change) {
      const refusal = await primary.show(change).then(() => undefined, toError);
      if (refusal === undefined) return;
      const page = await review.page().catch((error: unknown) => {
        throw new Error(`${refusal.message}; and the review page: ${toError(error).message}`);
      });
      await page.editor.show(change);
      inReview.add(change);
      onReview(change.proposal, page, refusal);
    },
    hide: async (change, reason) => (await holder(change)).hide(change, reason),
    flush: async (change) => (await holder(change)).flush(change),
    update: async (change, rebase) => (await holder(change)).update(change, rebase),
  };
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
