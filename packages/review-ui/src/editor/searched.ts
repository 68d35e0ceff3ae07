import type { EditorView } from "@codemirror/view";
import { findMatches, type Match, rememberPlace, showMatches } from "./finder.ts";

/** What a search finds in. */
export interface Searched<Found> {
  /** To be called before. @returns when texts without an editor are there; undefined when all have one */
  begin(): Promise<unknown> | undefined;
  /** From top to bottom. */
  find(pattern: RegExp): readonly Found[];
  /** Marks what is found, and goes to one of it. */
  show(pattern: RegExp | undefined, match?: Found): void;
  isAtOrAfterCursor(match: Found): boolean;
  /** What was found is old when one of these is another. */
  inputs(): readonly unknown[];
  /** The user's selection, if it is within one line. */
  selection(): string | undefined;
  /** Gives the text the focus, at what was found last. */
  leave(match: Found | undefined): void;
}

/** One text. @param views both sides of a diff */
export function inViews(views: () => readonly EditorView[]): Searched<Match> {
  /** Leads back to the change; undefined in a file. */
  let goBack: (() => void) | undefined;
  return {
    begin: () => {
      goBack = rememberPlace(views());
      return undefined;
    },
    find: (pattern) => findMatches(views(), pattern),
    show: (pattern, match) => showMatches(views(), pattern, match),
    isAtOrAfterCursor: ({ view, from }) => from >= view.state.selection.main.from,
    inputs: () => views().flatMap((view) => [view, view.state.doc]),
    selection: () => selectedText(views()),
    leave: (match) => {
      showMatches(views(), undefined);
      const view = match?.view ?? views().at(-1);
      view?.focus();
      if (goBack) goBack();
      else if (match) view?.dispatch({ selection: { anchor: match.from, head: match.to } });
    },
  };
}

export function selectedText(views: readonly EditorView[]): string | undefined {
  const view = views.find(({ hasFocus }) => hasFocus);
  const { from = 0, to = 0 } = view?.state.selection.main ?? {};
  const text = view?.state.sliceDoc(from, Math.min(to, from + 200));
  return text && !/[\r\n]/.test(text) ? text : undefined;
}
