import type {
  Comment,
  Decision,
  DecisionResult,
  Editor,
  HideReason,
  Rebase,
  ShownChange,
} from "../core/editor.ts";
import { hunksOf } from "../core/hunks.ts";
import { unite } from "../files/merge.ts";

/** Milliseconds until an editor whose user was typing is asked once more to show what another one has. */
const pace = 300;

/** A change in one of the editors that show it, with the text that this editor has. */
class ChangeView implements ShownChange {
  readonly editor: Editor;
  text: string;
  revision = 0;
  /** The comments that this editor has. */
  #shown: readonly Comment[];
  readonly #shared: SharedChange;
  /** The text that the editor is being asked to show. */
  #asked: string | undefined;

  constructor(editor: Editor, shared: SharedChange) {
    this.editor = editor;
    this.#shared = shared;
    ({ text: this.text, comments: this.#shown } = shared.change);
  }

  get #change(): ShownChange {
    return this.#shared.change;
  }

  get id() {
    return this.#change.id;
  }

  get proposal() {
    return this.#change.proposal;
  }

  get state() {
    return this.#change.state;
  }

  get hunks() {
    return this.text === this.#change.text ? this.#change.hunks : hunksOf(this.proposal, this.text);
  }

  get added() {
    return this.#change.added;
  }

  get removed() {
    return this.#change.removed;
  }

  get comments() {
    return this.#change.comments;
  }

  get isOver() {
    return this.#change.isOver;
  }

  get isBehind(): boolean {
    return this.text !== this.#change.text;
  }

  write(text: string): void {
    const { text: before } = this;
    const { text: newest, isOver } = this.#change;
    if (text !== before) this.revision += 1;
    this.text = text;
    const isTyped = text !== before && text !== newest && text !== this.#asked;
    if (before === newest) this.#change.write(text);
    // Another editor has another text: what is typed here is typed there too.
    else if (isTyped) this.#change.write(isOver ? text : unite(before, newest, text));
    this.#shared.catchUp();
  }

  saveComments(comments: readonly Comment[]): void {
    this.#change.saveComments(this.#withOthers(comments));
    const here = new Set(comments.map(({ id }) => id));
    this.#shown = this.comments.filter(({ id }) => here.has(id));
    this.#shared.catchUp();
  }

  decide(decision: Decision): DecisionResult {
    if (decision.kind === "accepted" && this.text !== this.#change.text)
      return { taken: false, reason: { code: "text-changed" } };
    const comments = this.#withOthers(decision.comments ?? []);
    const result = this.#change.decide({ ...decision, ...(comments.length > 0 && { comments }) });
    if (result.taken) this.#shared.hideExcept(this);
    return result;
  }

  /** Asks the editor to show another text. It does not while its user types. */
  async update(rebase: Omit<Rebase, "seen">): Promise<void> {
    this.#asked = rebase.text;
    try {
      await this.editor.update(this, { ...rebase, seen: this.text });
    } finally {
      this.#asked = undefined;
    }
  }

  /** Has the editor show the comments of others, if it can. */
  showComments(): void {
    const { editor, comments } = this;
    const before = new Map(this.#shown.map(({ id, text }) => [id, text]));
    const changed = comments.filter(({ id, text }) => before.get(id) !== text);
    for (const { id } of comments) before.delete(id);
    if (!editor.showComments || changed.length + before.size === 0) return;
    this.#shown = comments;
    editor.showComments(this, { changed, deleted: [...before.keys()] });
  }

  /** All comments: those that this editor has, and those that only others have. */
  #withOthers(comments: readonly Comment[]): readonly Comment[] {
    const known = new Set([...this.#shown, ...comments].map(({ id }) => id));
    return [...this.comments.filter(({ id }) => !known.has(id)), ...comments];
  }
}

/** A change that several editors show at once: what is typed in one of them is soon in the others. */
export class SharedChange {
  readonly change: ShownChange;
  #views: readonly ChangeView[] = [];
  #isCatchingUp = false;

  constructor(change: ShownChange) {
    this.change = change;
  }

  /** @throws Error when this editor cannot show it */
  async showIn(editor: Editor): Promise<void> {
    if (this.#views.some((view) => view.editor === editor)) return;
    const view = new ChangeView(editor, this);
    this.#views = [...this.#views, view];
    try {
      await editor.show(view);
    } catch (error) {
      this.#views = this.#views.filter((other) => other !== view);
      throw error;
    }
  }

  async hide(reason: HideReason): Promise<void> {
    await Promise.all(this.#views.map((view) => view.editor.hide(view, reason)));
  }

  /** One editor has decided, and takes its own view away. */
  hideExcept(decided: ChangeView): void {
    for (const view of this.#views) {
      if (view !== decided) view.editor.hide(view, "decided").catch(() => {}); // it has ended
    }
  }

  async flush(): Promise<void> {
    await Promise.all(this.#views.map((view) => view.editor.flush(view)));
  }

  async update({ seen, ...rebase }: Rebase): Promise<void> {
    const [first, ...others] = this.#views;
    if (first?.text !== seen) return;
    await first.update(rebase);
    for (const view of others) if (this.change.text === rebase.text) await view.update(rebase);
  }

  /** Brings what one editor has into the others. */
  catchUp(): void {
    if (!this.#isCatchingUp) void this.#catchUp();
  }

  async #catchUp(): Promise<void> {
    this.#isCatchingUp = true;
    for (;;) {
      const view = this.change.isOver ? undefined : this.#views.find(({ isBehind }) => isBehind);
      if (!view) break;
      const { proposal, text, state } = this.change;
      const isShown = await view.update({ proposal, text, state }).then(
        () => view.text === text,
        () => false,
      );
      if (!isShown) await new Promise((resolve) => setTimeout(resolve, pace).unref());
    }
    // Their lines are those of the text that all have now.
    for (const view of this.#views) view.showComments();
    this.#isCatchingUp = false;
  }
}
