import { computed, type Signal, signal } from "@preact/signals";
import { mergeTyped } from "../editor/text-changes.ts";
import { type Api, type DraftNews, explainError, type PageMessage, type ProposalTexts } from "./api.ts";
import type { Ask } from "./connection.ts";
import { DraftSync } from "./draft-sync.ts";
import { ProposalComments } from "./proposal-comments.ts";

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

export interface ProposalReviewOptions {
  readonly id: string;
  /** Until the user asks to edit. */
  readonly isReadOnly: boolean;
  readonly api: Api;
  readonly send: (message: PageMessage) => boolean;
  readonly ask: Ask;
  /** Runs before the texts are shown, which wait only a moment for it. */
  readonly prepare: () => Promise<unknown>;
}

const draftOf = ({ draft, proposed }: ProposalTexts) => draft ?? proposed;

/** The longest wait for `prepare`, in milliseconds. */
const patience = 500;
const timeout = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** One proposal in this page: its texts, its draft, and the refusal of the last decision. */
export class ProposalReview {
  readonly id: string;
  readonly #options: ProposalReviewOptions;
  readonly loaded = signal<LoadedTexts>({ state: "loading" });
  /** The file that the draft is compared with. */
  readonly base = computed(() =>
    this.loaded.value.state === "ready" ? this.loaded.value.texts.original : undefined,
  );
  /** The file was there when the change was proposed, and is gone. */
  readonly isDeleted = signal(false);
  /** The agent cannot take edits, and the user has not asked to edit their own version. */
  readonly isReadOnly: Signal<boolean>;
  readonly refusal = signal<string | undefined>(undefined);
  /** A decision has been sent and not answered. */
  readonly isDeciding = signal(false);
  /** It has just come to the front unasked: what the user presses in this moment is not meant for it. */
  readonly isUnexpected = signal(false);
  /** Keys of the hunks that are marked as viewed, in any page. */
  readonly viewed = signal<readonly string[]>([]);
  /** The marks of all hunks of the text as it stands; undefined as long as some are not marked. */
  readonly #allViewed = signal<readonly string[] | undefined>(undefined);
  /** Counts the drafts of other pages. */
  readonly drafts = signal(0);
  readonly comments: ProposalComments;
  #text: string | undefined;
  #editor: DraftEditor | undefined;
  #sync: DraftSync | undefined;
  /** The newest draft of another page that has arrived while the texts are loaded. */
  #early: DraftNews | undefined;
  #isStopped = false;
  #loading: Promise<void>;

  constructor(options: ProposalReviewOptions) {
    this.#options = options;
    this.id = options.id;
    this.isReadOnly = signal(options.isReadOnly);
    this.comments = new ProposalComments(options.id, (message) => {
      void this.#sync?.flush(); // they lie on lines of the text as it is now
      return this.#send(message);
    });
    this.#loading = this.#load();
  }

  #send(message: PageMessage): boolean {
    return !this.#isStopped && this.#options.send(message);
  }

  /** The last revision of it that this page has shown or written. */
  get revision(): number {
    return this.#sync?.revision ?? 0;
  }

  get isUnsent(): boolean {
    return this.comments.isUnsent || (this.#sync?.isUnsent ?? false);
  }

  /** The draft, exactly as the user sees it; undefined until it is loaded. */
  text(): string | undefined {
    return this.#editor?.text() ?? this.#text;
  }

  /** The draft differs from what the agent proposed. */
  hasEdits(): boolean {
    return this.loaded.value.state === "ready" && this.text() !== this.loaded.value.texts.proposed;
  }

  /** All its hunks are marked as viewed. */
  get isViewed(): boolean {
    return this.#allViewed.value === this.viewed.value;
  }

  /** To be called by an editor that has the marks. */
  noteViewed(isWhole: boolean): void {
    this.#allViewed.value = isWhole ? this.viewed.value : undefined;
  }

  async #load(): Promise<void> {
    const { api, ask, prepare } = this.#options;
    const { comments, id } = this;
    const before = comments.list.value;
    try {
      const [texts] = await Promise.all([api.proposal(id), Promise.race([prepare(), timeout(patience)])]);
      const text = draftOf(texts);
      this.#text = text;
      this.viewed.value = texts.viewed;
      this.#sync = new DraftSync({
        ...{ revision: texts.revision, text },
        send: (revision, content) => ask({ type: "draft", id, revision, content }),
        onRefused: (revision, content) => this.draftReceived({ revision, content }),
      });
      // What has arrived meanwhile is newer.
      if (comments.list.value === before) comments.received(texts.comments);
      this.loaded.value = { state: "ready", texts };
      if (this.#early) this.draftReceived(this.#early);
    } catch (error) {
      this.loaded.value = { state: "failed", reason: explainError(error) };
    }
  }

  #show(next: string): void {
    this.#text = next;
    this.noteViewed(false);
    this.#editor?.setDraft(next);
    this.drafts.value += 1;
  }

  /** Another text counts now. What the user has typed in this page meanwhile stays. */
  draftReceived(news: DraftNews): void {
    const { revision, content, against } = news;
    const [sync, loaded] = [this.#sync, this.loaded.value];
    if (!sync) this.#early = { ...this.#early, ...news };
    if (!sync || revision <= sync.revision) return;
    if (against && loaded.state === "ready") {
      this.isDeleted.value = against.original.kind === "missing" && this.base.value?.kind !== "missing";
      this.loaded.value = { state: "ready", texts: { ...loaded.texts, ...against } };
    }
    if (sync.isInDoubt) return;
    const shown = mergeTyped(sync.base, content, this.text() ?? sync.base);
    sync.rebased(revision, content);
    this.#show(shown);
    if (shown !== content) this.edited();
  }

  /** Synchronises with the frontend after a break of the connection. */
  async reconnected(): Promise<void> {
    if (this.loaded.value.state === "failed") this.#loading = this.#load();
    // Its answer may be from before the break.
    else await this.#loading;
    if (this.loaded.value.state !== "ready" || this.#isStopped) return;
    this.flush();
    try {
      const texts = await this.#options.api.proposal(this.id);
      this.comments.reconnected(texts.comments);
      this.viewed.value = texts.viewed;
      // The answer to what is sent says which text counts.
      if (this.#sync?.isUnsent) return;
      this.loaded.value = { state: "ready", texts };
      this.draftReceived({ revision: texts.revision, content: draftOf(texts) });
    } catch {
      // The proposal has ended, or the connection is lost again. The next list of proposals resolves it.
    }
  }

  /** Connects the editor that shows the draft. @returns a function that disconnects it */
  attach(editor: DraftEditor): () => void {
    this.#editor = editor;
    return () => {
      this.#text = editor.text();
      if (this.#editor === editor) this.#editor = undefined;
    };
  }

  /** To be called when the user has changed the draft in the editor. */
  edited(): void {
    this.#sync?.edited(() => this.text() ?? "");
  }

  /** Changes the whole draft, at the user's request. */
  rewrite(change: (text: string) => string): void {
    const text = this.text();
    if (text === undefined || this.isReadOnly.value) return;
    const next = change(text);
    this.#editor?.rewrite(next);
    this.#show(next);
    this.edited();
  }

  /** The user has it in front, and has marked these hunks. */
  view(hunks: readonly string[]): void {
    this.viewed.value = hunks;
    this.#options.send({ type: "viewed", id: this.id, hunks: [...hunks] });
  }

  viewedReceived(hunks: readonly string[]): void {
    this.viewed.value = hunks;
  }

  flush(): void {
    this.comments.flush();
    void this.#sync?.flush();
  }

  stop(): void {
    this.#isStopped = true;
    this.#sync?.stop();
  }
}
