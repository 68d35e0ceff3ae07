import type { EditorContext, EditorFile } from "../../core/editor.ts";

/** What one page shows. */
export interface PageView {
  readonly files: readonly EditorFile[];
  readonly activePath?: string;
  /** The page has the user's attention. */
  readonly focused: boolean;
}

interface Showing extends PageView {
  /** Grows with every focus: the highest had the user's attention last. */
  readonly attention: number;
  leaving?: NodeJS.Timeout;
}

/** Milliseconds for which a page that has gone still counts: it may only be reloading. */
const linger = 3000;

/** What all open pages show together. */
export class PageState {
  readonly #listeners = new Set<(context: EditorContext) => void>();
  readonly #showings = new Map<object, Showing>();
  #attention = 0;
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
    const here = [...this.#showings].filter(([, { leaving }]) => leaving === undefined);
    return here.sort(([, one], [, other]) => other.attention - one.attention)[0]?.[0];
  }

  show(page: object, view: PageView): void {
    const former = this.#showings.get(page)?.attention ?? 0;
    const isFirst = former === this.#attention && former > 0;
    if (view.focused && !isFirst) this.#attention += 1;
    this.#showings.set(page, { ...view, attention: view.focused ? this.#attention : former });
    this.#update();
  }

  /** The page's files stay for a moment. */
  leave(page: object): void {
    const showing = this.#showings.get(page);
    if (!showing) return;
    showing.leaving = setTimeout(() => {
      this.#forget(page);
      this.#update();
    }, linger);
  }

  close(): void {
    for (const page of [...this.#showings.keys()]) this.#forget(page);
  }

  #update(): void {
    this.context = toContext(
      [...this.#showings.values()].sort((one, other) => other.attention - one.attention),
    );
    for (const listener of this.#listeners) listener(this.context);
  }

  #forget(page: object): void {
    clearTimeout(this.#showings.get(page)?.leaving);
    this.#showings.delete(page);
  }
}

/** @param showings the one that had the user's attention last comes first. */
function toContext(showings: readonly Showing[]): EditorContext {
  const files = new Map<string, EditorFile>();
  for (const { files: own } of showings) {
    for (const file of own) {
      const known = files.get(file.path);
      if (!known) files.set(file.path, file);
      // The same file in two pages: the cursor of the page looked at last, the time of the later look.
      else if (file.focusedAt > known.focusedAt)
        files.set(file.path, { ...known, focusedAt: file.focusedAt });
    }
  }
  const activePath = showings[0]?.activePath;
  const isShown = activePath !== undefined && files.has(activePath);
  return { files: [...files.values()], ...(isShown ? { activePath } : {}) };
}
