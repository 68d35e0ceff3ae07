import type { EditorContext, EditorFile } from "../../core/editor.ts";

/** What one page shows. */
export interface PageView {
  readonly files: readonly EditorFile[];
  readonly activePath?: string;
  /** The page has the user's attention. */
  readonly focused: boolean;
}

/** Milliseconds for which a page that has gone still counts: it may only be reloading. */
const linger = 3000;

/** What all open pages show together. */
export class PageState {
  readonly #listeners = new Set<(context: EditorContext) => void>();
  /** The page that had the user's attention last comes last. */
  #views: ReadonlyMap<object, PageView> = new Map();
  /** Pages that have gone a moment ago. */
  readonly #leaving = new Map<object, NodeJS.Timeout>();
  context: EditorContext = { files: [] };

  /** @param listener also gets what pages show already, as of an earlier run @returns how to stop */
  onContext(listener: (context: EditorContext) => void): () => void {
    this.#listeners.add(listener);
    queueMicrotask(() => {
      if (this.#listeners.has(listener) && this.context.files.length > 0) listener(this.context);
    });
    return () => this.#listeners.delete(listener);
  }

  /** The page that had the user's attention last; undefined when none has shown anything yet. */
  get foremost(): object | undefined {
    return [...this.#views.keys()].findLast((page) => !this.#leaving.has(page));
  }

  show(page: object, view: PageView): void {
    const others = [...this.#views].filter(([other]) => other !== page);
    if (view.focused) this.#views = new Map([...others, [page, view]]);
    else if (this.#views.has(page)) this.#views = new Map(this.#views).set(page, view);
    else this.#views = new Map([[page, view], ...others]);
    this.#update();
  }

  /** The page's files stay for a moment. */
  leave(page: object): void {
    if (!this.#views.has(page)) return;
    const forget = () => {
      this.#leaving.delete(page);
      this.#views = new Map([...this.#views].filter(([other]) => other !== page));
      this.#update();
    };
    this.#leaving.set(page, setTimeout(forget, linger).unref());
  }

  close(): void {
    for (const timer of this.#leaving.values()) clearTimeout(timer);
    this.#views = new Map();
  }

  #update(): void {
    this.context = toContext([...this.#views.values()].reverse());
    for (const listener of this.#listeners) listener(this.context);
  }
}

/** @param views the one that had the user's attention last comes first */
function toContext(views: readonly PageView[]): EditorContext {
  const files = new Map<string, EditorFile>();
  for (const { files: own } of views) {
    for (const file of own) {
      const known = files.get(file.path);
      if (!known) files.set(file.path, file);
      // The same file in two pages: the cursor of the page looked at last, the time of the later look.
      else if (file.focusedAt > known.focusedAt)
        files.set(file.path, { ...known, focusedAt: file.focusedAt });
    }
  }
  const activePath = views[0]?.activePath;
  const isShown = activePath !== undefined && files.has(activePath);
  return { files: [...files.values()], ...(isShown ? { activePath } : {}) };
}
