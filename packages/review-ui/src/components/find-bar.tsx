import type { EditorView } from "@codemirror/view";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import {
  findMatches,
  type Match,
  maxMatches,
  rememberPlace,
  showMatches,
  toPattern,
} from "../editor/finder.ts";
import { isOfInputMethod } from "../model/user-focus.ts";
import { useReview } from "../review-context.ts";
import { Button } from "./button.tsx";
import { IconButton } from "./icon.tsx";

interface FindBarProps {
  /** The editors of the text to search; both sides of a diff. */
  readonly views: () => readonly EditorView[];
  readonly isActive: boolean;
}

interface Found {
  readonly pattern: RegExp | undefined;
  readonly matches: readonly Match[];
  readonly index: number;
  /** The editors that were searched, and their documents. */
  readonly searched: readonly unknown[];
}

const nothing: Found = { pattern: undefined, matches: [], index: 0, searched: [] };

function useSearch({ views, isActive }: FindBarProps) {
  const { finder } = useReview();
  const isOpen = useSignal(false);
  const text = useSignal("");
  const matchesCase = useSignal(false);
  const found = useSignal(nothing);
  const input = useRef<HTMLInputElement>(null);
  /** Leads back to the change; undefined in a file. */
  const goBack = useRef<() => void>(undefined);

  const searched = () => views().flatMap((view) => [view, view.state.doc]);
  const isOld = () => searched().some((one, index) => one !== found.peek().searched[index]);
  const search = () => {
    const pattern = text.value === "" ? undefined : toPattern(text.value, matchesCase.value);
    const matches = pattern ? findMatches(views(), pattern) : [];
    const index = Math.max(0, matches.findIndex(isAtOrAfterCursor));
    found.value = { pattern, matches, index, searched: searched() };
    showMatches(views(), pattern, matches[index]);
  };
  const step = (direction: 1 | -1) => {
    if (!isOpen.peek()) return false;
    const before = found.peek().index;
    if (isOld()) search();
    const { pattern, matches, index } = found.peek();
    if (matches.length === 0) return true;
    const next = (Math.min(before, index) + direction + matches.length) % matches.length;
    found.value = { ...found.peek(), index: next };
    showMatches(views(), pattern, matches[next]);
    return true;
  };
  const close = () => {
    const match = isOld() ? undefined : found.peek().matches[found.peek().index];
    isOpen.value = false;
    found.value = nothing;
    showMatches(views(), undefined);
    const view = match?.view ?? views().at(-1);
    view?.focus();
    if (goBack.current) goBack.current();
    else if (match) view?.dispatch({ selection: { anchor: match.from, head: match.to } });
  };

  useEffect(() => {
    if (!isActive) return;
    const own = {
      open: () => {
        const selected = selectedText(views());
        if (selected) text.value = selected;
        if (!isOpen.peek()) goBack.current = rememberPlace(views());
        isOpen.value = true;
        queueMicrotask(() => {
          input.current?.focus();
          input.current?.select();
        });
        search();
      },
      step,
    };
    finder.value = own;
    return () => {
      if (finder.peek() === own) finder.value = undefined;
    };
  }, [isActive]);

  return { isOpen, text, matchesCase, found, input, search, step, close };
}

/** Searches all text of a tab, visible or not. */
export function FindBar(props: FindBarProps) {
  const { t } = useReview();
  const { isOpen, text, matchesCase, found, input, search, step, close } = useSearch(props);
  if (!isOpen.value) return null;
  const { matches, index } = found.value;
  const total = matches.length >= maxMatches ? `${maxMatches}+` : matches.length;
  const onKeyDown = (event: KeyboardEvent) => {
    if (isOfInputMethod(event)) return;
    if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
  };
  return (
    <search class="find-bar" data-own-escape onKeyDown={onKeyDown}>
      <input
        ref={input}
        type="text"
        aria-label={t("Find")}
        placeholder={t("Find")}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          search();
        }}
      />
      <span class="quiet find-count" role="status">
        {text.value === "" ? "" : matches.length === 0 ? t("No match") : t("$1 of $2", index + 1, total)}
      </span>
      <IconButton
        icon="up"
        label={t("Previous match")}
        disabled={matches.length === 0}
        onClick={() => step(-1)}
      />
      <IconButton
        icon="down"
        label={t("Next match")}
        disabled={matches.length === 0}
        onClick={() => step(1)}
      />
      <Button
        kind="quiet"
        aria-pressed={matchesCase.value}
        title={t("match case")}
        aria-label={t("match case")}
        onClick={() => {
          matchesCase.value = !matchesCase.value;
          search();
        }}
      >
        Aa
      </Button>
      <span class="spacer" />
      <IconButton icon="close" label={t("Close")} onClick={close} />
    </search>
  );
}

function isAtOrAfterCursor({ view, from }: Match): boolean {
  return from >= view.state.selection.main.from;
}

/** The user's selection, if it is within one line. */
function selectedText(views: readonly EditorView[]): string | undefined {
  const view = views.find(({ hasFocus }) => hasFocus);
  const { from = 0, to = 0 } = view?.state.selection.main ?? {};
  const text = view?.state.sliceDoc(from, Math.min(to, from + 200));
  return text && !/[\r\n]/.test(text) ? text : undefined;
}
