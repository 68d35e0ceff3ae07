import { signal } from "@preact/signals";
import { mergeTyped } from "../editor/text-changes.ts";
import {
  type Api,
  explainError,
  type FileText,
  type FrontendMessage,
  type PageMessage,
  type ProposalTexts,
} from "./api.ts";
import { createDraftSync, type DraftSync } from "./draft-sync.ts";
import { createProposalComments } from "./proposal-comments.ts";

/** An editor that shows a proposal's draft. */
export interface DraftEditor {
  text(): string;
  /** Changes the text without an undo step, and sends nothing. */
  setDraft(text: string): void;
  /** Changes the text as an edit of the user, which can be undone and is sent. */
  rewrite(text: string): void;
}

export type LoadedTexts =
  | { readonly state: "loading" }
  | { readonly state: "ready"; readonly texts: ProposalTexts }
  | { readonly state: "failed"; readonly reason: string };

type Rebased = Extract<FrontendMessage, { readonly type: "rebased" }>;

export interface ProposalReviewOptions {
  readonly id: string;
  /** Until the user asks to edit. */
  readonly isReadOnly: boolean;
  readonly api: Api;
  readonly send: (message: PageMessage) => boolean;
  /** Runs before the texts are shown, which wait only a moment for it. */
  readonly prepare: () => Promise<unknown>;
}

const draftOf = ({ draft, proposed }: ProposalTexts) => draft ?? proposed;

/** The longest wait for `prepare`, in milliseconds. */
const patience = 500;
const timeout = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** One proposal in this page: its texts, its draft, and the refusal of the last decision. */
export type ProposalReview = ReturnType<typeof createProposalReview>;

export function createProposalReview(options: ProposalReviewOptions) {
  const { id, api, send, prepare } = options;
  const loaded = signal<LoadedTexts>({ state: "loading" });
  const base = signal<FileText | undefined>(undefined);
  const isDeleted = signal(false);
  const isElsewhere = signal(false);
  const isReadOnly = signal(options.isReadOnly);
  const isDeciding = signal(false);
  const viewed = signal<readonly string[]>([]);
  const foreignDrafts = signal(0);
  let text: string | undefined;
  let editor: DraftEditor | undefined;
  let drafts: DraftSync | undefined;
  /** The newest draft of another page that has arrived while the texts are loaded. */
  let early: { readonly revision: number; readonly draft: string } | undefined;
  let isStopped = false;

  const comments = createProposalComments(id, (message) => {
    drafts?.flush(); // they lie on lines of the text as it is now
    return !isStopped && send(message);
  });

  const currentText = () => editor?.text() ?? text;

  async function load(): Promise<void> {
    const before = comments.list.value;
    try {
      const [texts] = await Promise.all([api.proposal(id), Promise.race([prepare(), timeout(patience)])]);
      text = draftOf(texts);
      viewed.value = texts.viewed;
      drafts = createDraftSync({
        revision: texts.revision,
        size: text.length,
        send: (revision, draft) => !isStopped && send({ type: "draft", id, revision, text: draft }),
      });
      if (early) draftReceived(early.revision, early.draft);
      // What has arrived meanwhile is newer.
      if (comments.list.value === before) comments.received(texts.comments);
      base.value = texts.original;
      loaded.value = { state: "ready", texts };
    } catch (error) {
      loaded.value = { state: "failed", reason: explainError(error) };
    }
  }

  function show(next: string): void {
    text = next;
    editor?.setDraft(next);
    foreignDrafts.value += 1;
  }

  function rebased({ original, proposed, seen, text: next, revision }: Rebased): void {
    if (loaded.value.state !== "ready" || !drafts || revision <= drafts.revision) return;
    isDeleted.value = original.kind === "missing" && base.value?.kind !== "missing";
    base.value = original;
    loaded.value = { state: "ready", texts: { ...loaded.value.texts, original, proposed } };
    const mine = currentText() ?? seen;
    const merged = mergeTyped(seen, next, mine);
    drafts.rebased(revision);
    show(merged);
    if (mine !== seen) drafts.edited(() => currentText() ?? "");
  }

  function draftReceived(revision: number, draft: string): void {
    if (!drafts) early = { revision, draft };
    else if (drafts.received(revision)) show(draft);
  }

  async function reconnected(): Promise<void> {
    if (loaded.value.state === "failed") loading = load();
    // Its answer may be from before the break.
    else await loading;
    if (loaded.value.state !== "ready" || isStopped) return;
    const isDraftUnsent = drafts?.isUnsent ?? false;
    if (isDraftUnsent) drafts?.flush();
    try {
      const texts = await api.proposal(id);
      comments.reconnected(texts.comments);
      viewed.value = texts.viewed;
      if (isDraftUnsent) return;
      base.value = texts.original;
      loaded.value = { state: "ready", texts };
      const draft = draftOf(texts);
      if (drafts?.received(texts.revision)) show(draft);
    } catch {
      // The proposal has ended, or the connection is lost again. The next list of proposals resolves it.
    }
  }

  let loading = load();
  return {
    id,
    loaded,
    /** The file that the draft is compared with. */
    base,
    /** The file was there when the change was proposed, and is gone. */
    isDeleted,
    /** The file has changed on disk. What the user types meanwhile stays. */
    rebased,
    /** Another page edits it, so here it is read-only. */
    isElsewhere,
    /** The agent cannot take edits, and the user has not asked to edit their own version. */
    isReadOnly,
    /** The last revision of it that this page has shown or written. */
    get revision() {
      return drafts?.revision ?? 0;
    },
    refusal: signal<string | undefined>(undefined),
    /** A decision has been sent and not answered. */
    isDeciding,
    /** It has just come to the front unasked: what the user presses in this moment is not meant for it. */
    isUnexpected: signal(false),
    get isUnsent() {
      return comments.isUnsent || (drafts?.isUnsent ?? false);
    },
    /** The draft, exactly as the user sees it; undefined until it is loaded. */
    text: currentText,
    /** The draft differs from what the agent proposed. */
    hasEdits: () => loaded.value.state === "ready" && currentText() !== loaded.value.texts.proposed,
    /** Connects the editor that shows the draft. @returns a function that disconnects it */
    attach: (next: DraftEditor) => {
      editor = next;
      return () => {
        text = next.text();
        if (editor === next) editor = undefined;
      };
    },
    /** To be called when the user has changed the draft in the editor. */
    edited: () => drafts?.edited(() => currentText() ?? ""),
    /** Changes the whole draft, at the user's request. */
    rewrite: (change: (text: string) => string) => {
      if (!isElsewhere.value && !isReadOnly.value) editor?.rewrite(change(editor.text()));
    },
    draftReceived,
    draftAcknowledged: (revision: number) => drafts?.acknowledged(revision),
    /** Shows the other page's text. @returns the text of this page, if it would be lost */
    draftRefused: (revision: number, draft: string) => {
      const mine = currentText();
      // The answer to a draft of before the file has changed: this page has that change by now.
      if (!drafts?.refused(revision)) return undefined;
      show(draft);
      return mine === draft ? undefined : mine;
    },
    comments,
    /** Keys of the hunks that are marked as viewed, in any page. */
    viewed,
    /** Counts the drafts of other pages. */
    drafts: foreignDrafts,
    /** The user has it in front, and has marked these hunks. */
    view: (hunks: readonly string[]) => {
      viewed.value = hunks;
      send({ type: "viewed", id, hunks: [...hunks] });
    },
    viewedReceived: (hunks: readonly string[]) => {
      viewed.value = hunks;
    },
    flush: () => {
      comments.flush();
      return drafts?.flush() ?? true;
    },
    disconnected: () => {
      isDeciding.value = false;
      drafts?.disconnected();
    },
    /** Synchronises with the frontend after a break of the connection. */
    reconnected,
    stop: () => {
      isStopped = true;
      drafts?.stop();
    },
  };
}
