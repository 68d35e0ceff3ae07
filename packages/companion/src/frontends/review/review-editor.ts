import type { Editor, EditorContext } from "../../core/editor.ts";
import { confine } from "../../files/workspace-path.ts";
import type { HeldProposal } from "./held-proposal.ts";
import type { Pages } from "./page.ts";
import type { PageState } from "./page-state.ts";
import type { ProposalStore } from "./proposal-store.ts";

export interface ReviewEditorParts {
  readonly pages: Pages;
  readonly store: ProposalStore;
  readonly pageState: PageState;
  readonly contextListeners: Set<(context: EditorContext) => void>;
  readonly roots: () => readonly string[];
}

/** What the companion sees of the pages: one editor, however many of them are open. */
export function createReviewEditor(parts: ReviewEditorParts): Editor {
  const { pages, store, pageState, contextListeners, roots } = parts;

  function expect(id: string): HeldProposal {
    const held = store.get(id);
    if (!held) throw new Error(`no diff ${id} is open in the review page`);
    return held;
  }

  /** Nobody types in what no page has been shown. */
  async function flush(held: HeldProposal): Promise<void> {
    if (held.isListed) await pages.flush(held.wireId);
  }

  return {
    info: { name: "review", displayName: "Review page" },
    pid: process.pid,
    onContext: (listener) => {
      contextListeners.add(listener);
      // A page of an earlier run may have come back before anybody listened.
      queueMicrotask(() => {
        if (contextListeners.has(listener) && pageState.context.files.length > 0) listener(pageState.context);
      });
      return () => contextListeners.delete(listener);
    },
    openDiff: async (proposal, decide, saveDraft, saveComments) => {
      store.open(proposal, decide, saveDraft, saveComments);
    },
    closeDiff: async (id) => {
      const held = expect(id);
      await flush(held);
      store.remove(held);
      return held.draft;
    },
    openFile: async (place) => {
      if (!(await confine(place.path, roots())))
        throw new Error("it lies outside of the folders of this page");
      if (pages.count === 0) throw new Error("no page is open in a browser");
      const { foremost } = pageState;
      pages.send({ type: "show", ...place }, foremost && { only: [foremost] });
    },
    readDiff: async (id) => {
      const held = expect(id);
      await flush(held);
      return held.draft;
    },
    updateDiff: async (proposal, update) => {
      const held = expect(proposal.id);
      await flush(held);
      if (held.update(proposal, update)) {
        const { wireId: id, original, revision, state } = held;
        const { newContent: proposed } = proposal;
        pages.send({ type: "rebased", id, original, proposed, ...update, revision, state });
      }
      return held.draft;
    },
  };
}
