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

  /** Resolves once the pages have handed in what they had not sent; nobody types in what no page has been shown. */
  async function flushed(id: string): Promise<HeldProposal> {
    const held = store.get(id);
    if (!held) throw new Error(`no diff ${id} is open in the review page`);
    if (held.isListed) await pages.flush(held.wireId);
    return held;
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
      const held = await flushed(id);
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
    readDiff: async (id) => (await flushed(id)).draft,
    updateDiff: async (proposal, update) => {
      const held = await flushed(proposal.id);
      if (held.update(proposal, update)) {
        const { wireId: id, revision } = held;
        const { newContent: proposed, base: original } = proposal;
        pages.send({ type: "rebased", id, original, proposed, revision, ...update });
      }
      return held.draft;
    },
  };
}
