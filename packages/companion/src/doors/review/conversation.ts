import type { Decision, EditorFile, Verdict } from "../../editor.ts";
import type { FileWatch } from "./file-watch.ts";
import type { HeldProposal } from "./held-proposal.ts";
import type { Journal } from "./journal.ts";
import type { Page } from "./page.ts";
import type { Pages } from "./pages.ts";
import type { ProposalShelf } from "./proposal-shelf.ts";
import type { PageMessage } from "./protocol.ts";
import type { PageView, Screen } from "./screen.ts";

/** What pages talk about. */
export interface Subjects {
  readonly pages: Pages;
  readonly shelf: ProposalShelf;
  readonly journal: Journal;
  readonly screen: Screen;
  readonly watch: FileWatch;
}

/** Does what the user of a page has asked for. */
export function answerPage(page: Page, message: PageMessage, subjects: Subjects): void {
  switch (message.type) {
    case "context":
      subjects.screen.show(page, page.key, toView(message));
      break;
    case "draft":
      takeDraft(page, message, subjects);
      break;
    case "flushed":
      page.flushed(message.id);
      break;
    case "accept":
      accept(page, message, subjects);
      break;
    case "reject":
      reject(page, message, subjects);
      break;
    case "discard":
      subjects.journal.discard(message.entry);
      break;
    case "watch":
      subjects.watch.watch(page, message.paths);
      break;
  }
}

type ContextMessage = Extract<PageMessage, { type: "context" }>;

function toView({ files, activePath, focused }: ContextMessage): PageView {
  return {
    files: files.map(toEditorFile),
    focused,
    ...(activePath === undefined ? {} : { activePath }),
  };
}

function toEditorFile({
  path,
  focusedAt,
  cursor,
  selectedText,
}: ContextMessage["files"][number]): EditorFile {
  return {
    path,
    focusedAt,
    ...(cursor === undefined ? {} : { cursor }),
    ...(selectedText === undefined ? {} : { selectedText }),
  };
}

interface Draft {
  readonly id: string;
  readonly text: string;
  readonly revision: number;
}

function takeDraft(page: Page, { id, text, revision }: Draft, { shelf, journal, pages }: Subjects): void {
  const held = shelf.find(id);
  if (!held) {
    // The user was still typing when the diff was closed elsewhere.
    journal.keepLate(id, text, "draft");
    return;
  }
  const taken = held.write(text, page, revision);
  const news = { type: "draft", id, revision: taken.revision, text } as const;
  if (taken.crossed) pages.send(news);
  else pages.send(news, { except: page });
}

function accept(page: Page, { id, text }: Omit<Draft, "revision">, subjects: Subjects): void {
  const held = subjects.shelf.find(id);
  if (held) {
    // Also when the decision is refused, the text is what the user has made of it.
    const isEdited = text !== held.draft;
    if (isEdited) held.write(text, page, held.revision);
    const isTaken = settle(page, held, { kind: "accepted", content: text }, subjects);
    const { revision } = held;
    if (isEdited && !isTaken) subjects.pages.send({ type: "draft", id, revision, text }, { except: page });
    return;
  }
  const late = subjects.journal.keepLate(id, text, "accept");
  page.send({ type: "refused", id, reason: whyTooLate(late?.outcome, late?.isKept ?? false) });
}

function reject(page: Page, { id }: { readonly id: string }, subjects: Subjects): void {
  const held = subjects.shelf.find(id);
  if (held) settle(page, held, { kind: "rejected" }, subjects);
  else page.send({ type: "refused", id, reason: whyTooLate(subjects.journal.outcomeOf(id), false) });
}

/** @returns whether the decision counts. */
function settle(page: Page, held: HeldProposal, decision: Decision, { shelf }: Subjects): boolean {
  const verdict = verdictOn(held, decision);
  if (verdict.taken) shelf.remove(held);
  else page.send({ type: "refused", id: held.wireId, reason: verdict.reason });
  return verdict.taken;
}

function verdictOn(held: HeldProposal, decision: Decision): Verdict {
  try {
    return held.decide(decision);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return { taken: false, reason: `The decision could not be passed on: ${cause}` };
  }
}

function whyTooLate(outcome: string | undefined, isKept: boolean): string {
  if (outcome === undefined) {
    return "This companion does not know the change: it belongs to an earlier run. Copy your text if you need it.";
  }
  return `This change was settled before: ${outcome}.${isKept ? " Your text is kept in the journal." : ""}`;
}
