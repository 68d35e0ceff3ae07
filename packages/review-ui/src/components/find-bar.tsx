import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { maxMatches, toPattern } from "../editor/finder.ts";
import type { Searched } from "../editor/searched.ts";
import { isOfInputMethod } from "../model/user-focus.ts";
import { useReview } from "../review-context.ts";
import { Button } from "./button.tsx";
import { IconButton } from "./icon.tsx";

interface FindBarProps<Match> {
  /** Asked once. */
  readonly searched: () => Searched<Match>;
  readonly isActive: boolean;
}

interface Found<Match> {
  readonly pattern: RegExp | undefined;
  readonly matches: readonly Match[];
  readonly index: number;
  /** Of the search. */
  readonly inputs: readonly unknown[];
}

const nothing = { pattern: undefined, matches: [], index: 0, inputs: [] };

function useSearch<Match>({ searched, isActive }: FindBarProps<Match>) {
  const { finder } = useReview();
  const subject = useMemo(searched, []);
  const isOpen = useSignal(false);
  const text = useSignal("");
  const matchesCase = useSignal(false);
  const found = useSignal<Found<Match>>(nothing);
  const input = useRef<HTMLInputElement>(null);

  const isOld = () => subject.inputs().some((one, index) => one !== found.peek().inputs[index]);
  const search = () => {
    const pattern = text.value === "" ? undefined : toPattern(text.value, matchesCase.value);
    const matches = pattern ? subject.find(pattern) : [];
    const index = Math.max(
      0,
      matches.findIndex((match) => subject.isAtOrAfterCursor(match)),
    );
    found.value = { pattern, matches, index, inputs: subject.inputs() };
    subject.show(pattern, matches[index]);
  };
  const step = (direction: 1 | -1) => {
    if (!isOpen.peek()) return false;
    const before = found.peek().index;
    if (isOld()) search();
    const { pattern, matches, index } = found.peek();
    if (matches.length === 0) return true;
    const next = (Math.min(before, index) + direction + matches.length) % matches.length;
    found.value = { ...found.peek(), index: next };
    subject.show(pattern, matches[next]);
    return true;
  };
  const close = () => {
    const match = isOld() ? undefined : found.peek().matches[found.peek().index];
    isOpen.value = false;
    found.value = nothing;
    subject.leave(match);
  };

  useEffect(() => {
    if (!isActive) return;
    const own = {
      open: () => {
        const selected = subject.selection();
        if (selected) text.value = selected;
        if (!isOpen.peek()) void subject.begin()?.then(() => isOpen.peek() && search());
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
export function FindBar<Match>(props: FindBarProps<Match>) {
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
    <search class="find-bar bar" data-own-escape onKeyDown={onKeyDown}>
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
      <span class="grow" />
      <IconButton icon="close" label={t("Close")} onClick={close} />
    </search>
  );
}
