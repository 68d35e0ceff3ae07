import type { EditorContext, EditorFile } from "../../core/editor.ts";

/** What one page shows. */
export interface PageView {
  readonly files: readonly EditorFile[];
  readonly activePath?: string;
  /** The page has the user's attention. */
  readonly focused: boolean;
}

interface Showing extends PageView {
  /** Survives a reload; undefined when the page does not say. */
  readonly key: string | undefined;
  /** Grows with every focus: the highest had the user's attention last. */
  readonly attention: number;
  leaving?: NodeJS.Timeout;
}

/** What all open pages show together. */
export interface PageState {
  readonly context: EditorContext;
  /** The page that had the user's attention last; undefined when none has shown anything yet. */
  readonly foremost: object | undefined;
  show(page: object, key: string | undefined, view: PageView): void;
  /** The page's files stay for a moment: it may only be reloading. */
  leave(page: object): void;
  close(): void;
}

export interface PageStateOptions {
  readonly onChange: (context: EditorContext) => void;
}

/** Milliseconds for which a page that has gone still counts. */
const linger = 3000;

export function createPageState({ onChange }: PageStateOptions): PageState {
  const showings = new Map<object, Showing>();
  let attention = 0;
  let context: EditorContext = { files: [] };

  function update(): void {
    context = toContext([...showings.values()].sort((one, other) => other.attention - one.attention));
    onChange(context);
  }

  function forget(page: object): void {
    clearTimeout(showings.get(page)?.leaving);
    showings.delete(page);
  }

  /** A reloaded page takes the place of what it was before. */
  function succeed(key: string): number {
    for (const [page, showing] of showings) {
      if (showing.key !== key || showing.leaving === undefined) continue;
      forget(page);
      return showing.attention;
    }
    return 0;
  }

  function show(page: object, key: string | undefined, view: PageView): void {
    const known = showings.get(page);
    const former = known?.attention ?? (key === undefined ? 0 : succeed(key));
    const isFirst = former === attention && former > 0;
    if (view.focused && !isFirst) attention += 1;
    showings.set(page, { ...view, key, attention: view.focused ? attention : former });
    update();
  }

  function leave(page: object): void {
    const showing = showings.get(page);
    if (!showing) return;
    showing.leaving = setTimeout(() => {
      forget(page);
      update();
    }, linger);
  }

  return {
    get context() {
      return context;
    },
    get foremost() {
      const here = [...showings].filter(([, { leaving }]) => leaving === undefined);
      return here.sort(([, one], [, other]) => other.attention - one.attention)[0]?.[0];
    },
    show,
    leave,
    close: () => {
      for (const page of [...showings.keys()]) forget(page);
    },
  };
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
