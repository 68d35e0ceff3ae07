import type { CompanionEvent, OnCompanionEvent, Settlement } from "../../companion-event.ts";
import type { Editor, EditorContext, Proposal } from "../../editor.ts";
import { createConnectedClis } from "./connected-clis.ts";
import type { Subjects } from "./conversation.ts";
import { createFileWatch } from "./file-watch.ts";
import { createJournal, type JournalFigures } from "./journal.ts";
import type { Page } from "./page.ts";
import { createPages } from "./pages.ts";
import { createProposalShelf } from "./proposal-shelf.ts";
import type { DoorMessage, JournalEntry, ProposalSummary } from "./protocol.ts";
import { createReviewEditor } from "./review-editor.ts";
import { createScreen } from "./screen.ts";

export interface ReviewOptions {
  /** This run's id. */
  readonly instance: string;
  readonly roots: () => readonly string[];
  /** A file's stamp, as far as a page may know it. */
  readonly stampOf: (path: string) => Promise<string | undefined>;
}

/** Everything the pages share: what waits, what was decided, who is connected, what is on the screen. */
export interface Review extends Subjects {
  readonly editor: Editor;
  readonly onEvent: OnCompanionEvent;
  /** A page has opened. */
  greet(page: Page, welcome: DoorMessage): void;
  /** A page's socket is closed. */
  leave(page: Page): void;
  close(): void;
}

export function createReview({ instance, roots, stampOf }: ReviewOptions): Review {
  const contextListeners = new Set<(context: EditorContext) => void>();
  const pages = createPages();
  const clis = createConnectedClis();
  const screen = createScreen({
    onChange: (context) => {
      for (const listener of contextListeners) listener(context);
    },
  });
  const journal = createJournal({
    onChange: () => pages.send({ type: "journal", entries: journal.entries }),
    onDropped: (entry) => pages.notify("warning", droppedText(entry)),
  });
  const originals = {};
  const shelf = createProposalShelf({
    instance,
    roots,
    onChange: () => {
      watch.watch(originals, shelf.paths);
      pages.send({ type: "proposals", proposals: shelf.summaries });
    },
  });
  const watch = createFileWatch({
    stampOf,
    onChange: (path, stamp, owners) => {
      const message: DoorMessage = { type: "changed", path, stamp };
      pages.send(message, owners.includes(originals) ? {} : { only: owners });
    },
  });

  function onEvent(event: CompanionEvent): void {
    const news = clis.take(event);
    if (news) pages.send(news);
    if (event.kind === "warning") pages.notify("warning", event.message);
    if (event.kind === "diff-settled") settle(event.proposal, event.settlement);
    if (event.kind === "edits-untaken") keepUntaken(event.proposal, event.content);
  }

  function keepUntaken(proposal: Proposal, content: string): void {
    const wireId = shelf.wireId(proposal.id);
    if (journal.keepUntaken(wireId, content)) return;
    // The page has come later than the decision, say: then this is an entry of its own.
    settle(proposal, { kind: "accepted", content, by: "user" });
    journal.keepUntaken(wireId, content);
  }

  function settle(proposal: Proposal, settlement: Settlement): void {
    const held = shelf.conclude(proposal.id);
    const figures = held ? figuresOf(held.summary) : { label: proposal.filePath, added: 0, removed: 0 };
    const draft = held?.draft ?? proposal.newContent;
    const entry = journal.record({ proposal, settlement, wireId: shelf.wireId(proposal.id), draft, figures });
    // The last edits may not have been counted yet.
    void held?.counted().then((summary) => journal.correct(entry, figuresOf(summary)));
  }

  return {
    pages,
    shelf,
    journal,
    screen,
    watch,
    onEvent,
    editor: createReviewEditor({ pages, shelf, watch, screen, contextListeners, roots }),
    greet: (page, welcome) => {
      page.send(welcome);
      page.send(clis.sessions);
      page.send({ type: "proposals", proposals: shelf.summaries });
      page.send({ type: "journal", entries: journal.entries });
      page.send(clis.context);
      pages.add(page);
      watch.run(true);
    },
    leave: (page) => {
      pages.remove(page);
      screen.leave(page);
      watch.forget(page);
      watch.run(pages.count > 0);
    },
    close: () => {
      screen.close();
      watch.run(false);
    },
  };
}

function figuresOf({ label, added, removed }: ProposalSummary): JournalFigures {
  return { label, added, removed };
}

function droppedText({ label, text }: JournalEntry): string {
  return `Your kept edits of ${label} (${text}) had to make room for newer ones.`;
}
