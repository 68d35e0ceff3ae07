import type { Editor, Proposal } from "../../core/editor.ts";
import type { ReviewFallback, ReviewPage } from "./review-fallback.ts";

export interface FallbackEditorOptions {
  readonly primary: Editor;
  readonly review: ReviewFallback;
  /** A proposal is to be seen in the page only. */
  readonly onReview: (proposal: Proposal, page: ReviewPage, why: Error) => unknown;
}

/** The editor is to hear of each proposal whose outcome is known. */
export type FallbackEditor = Editor & { conclude(id: string): void };

/** The editor itself as long as it can show a proposal, and the review page for every one that it cannot. */
export function createFallbackEditor({ primary, review, onReview }: FallbackEditorOptions): FallbackEditor {
  const inReview = new Set<string>();
  const holder = async (id: string) => (inReview.has(id) ? (await review.page()).editor : primary);
  return {
    info: primary.info,
    pid: primary.pid,
    // What only the editor itself can do: the page knows nothing of what is open there.
    ...(primary.openFile && { openFile: primary.openFile.bind(primary) }),
    ...(primary.getDiagnostics && { getDiagnostics: primary.getDiagnostics.bind(primary) }),
    ...(primary.readTerminal && { readTerminal: primary.readTerminal.bind(primary) }),
    ...(primary.typeInTerminal && { typeInTerminal: primary.typeInTerminal.bind(primary) }),
    onContext: (listener) => primary.onContext(listener),
    conclude: (id) => void inReview.delete(id),
    async openDiff(...given) {
      const [proposal] = given;
      const refusal = await primary.openDiff(...given).then(() => undefined, toError);
      if (refusal === undefined) return;
      const page = await review.page().catch((error: unknown) => {
        throw new Error(`${refusal.message}; and the review page: ${toError(error).message}`);
      });
      await page.editor.openDiff(...given);
      inReview.add(proposal.id);
      onReview(proposal, page, refusal);
    },
    closeDiff: async (id, reason) => (await holder(id)).closeDiff(id, reason),
    readDiff: async (id) => (await holder(id)).readDiff(id),
    updateDiff: async (proposal, update) => (await holder(proposal.id)).updateDiff(proposal, update),
  };
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
