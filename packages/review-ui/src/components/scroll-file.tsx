import type { EditorView } from "@codemirror/view";
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { findMatches, showMatches } from "../editor/finder.ts";
import {
  type Hunk,
  hunksOf,
  lineOfCursor,
  originalLineOfCursor,
  setViewed,
  showPosition,
  viewsOf,
} from "../editor/hunks.ts";
import { useReview } from "../review-context.ts";
import { Comparison, type ComparisonProps } from "./comparison.tsx";

/** A file of a scroll. */
export interface ScrolledFile {
  readonly id: string;
  readonly filePath: string;
  /** For people. */
  readonly label: string;
  readonly added: number;
  readonly removed: number;
}

/** The diff of a file, as long as it is near what the user sees. */
export interface ShownFile {
  readonly view: EditorView;
  /** Keeps a hunk, or marks it as viewed, or not. @returns whether the user goes on to the next one */
  pass(hunk: Hunk): boolean;
  revert(hunk: Hunk): void;
  /** That of the cursor on disk, from 1. */
  line(): number;
}

/** What a scroll gives each of its files. */
export interface ScrollPart {
  readonly isActive: boolean;
  /** Unchanged parts are shown. */
  readonly isWhole: boolean;
  /** Of the ruler of all files. */
  readonly rulerPart: () => HTMLElement | undefined;
  readonly onShown: (shown: ShownFile | undefined) => void;
  /** That of the cursor on disk, from 1. */
  readonly line: () => number;
  readonly isViewed: boolean;
  readonly toggleViewed: () => void;
}

interface ScrollFileProps {
  readonly file: ScrolledFile;
  readonly part: ScrollPart;
  readonly head: ComponentChildren;
  /** Buttons. */
  readonly tools: ComponentChildren;
  /** Without it, the file has no place for the cursor. */
  readonly text?: ((height: number, isVisible: boolean) => ComponentChildren) | undefined;
  /** Above its text. */
  readonly children: ComponentChildren;
}

/** A file in a scroll of several: its head, and its text as long as it is near. */
export function ScrollFile({ file, part, head, tools, text, children }: ScrollFileProps) {
  const { t, scroll } = useReview();
  const { place, current, pattern } = scroll;
  // A viewed file is folded, and searched all the same.
  const isFolded = part.isViewed && pattern.value === undefined;
  const root = useRef<HTMLElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const isNear = useNear(root, "400px");
  const isVisible = useNear(root, "0px");
  // A file that is far away has no editor, and takes the room that it had.
  const height = useRef(estimate(file));
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      if (!entry || entry.contentRect.height === 0) return;
      height.current = entry.contentRect.height;
      part.rulerPart()?.style.setProperty("--height", `${height.current}`);
    });
    if (isNear && !isFolded && body.current) observer.observe(body.current);
    if (isFolded) part.rulerPart()?.style.setProperty("--height", "0");
    return () => observer.disconnect();
  }, [isNear, isFolded]);
  const isWanted = place.value?.file === file.id;
  useEffect(() => {
    if (!part.isActive || !isWanted) return;
    current.value = file.id;
    // Once more when those above it, which turn out to be higher, have pushed it away.
    root.current?.scrollIntoView({ block: "nearest" });
    if (!text || isFolded) place.value = undefined;
  }, [part.isActive, isWanted, isNear, isFolded]);
  return (
    <section
      ref={root}
      class={`scroll-file${current.value === file.id ? " scroll-current" : ""}`}
      style={{ containIntrinsicBlockSize: `auto ${estimate(file)}px` }}
      aria-label={file.label}
      onFocusIn={() => {
        current.value = file.id;
      }}
    >
      <div class="scroll-head bar">
        {head}
        <span class="grow" />
        <button
          type="button"
          class="hunk-button"
          aria-pressed={part.isViewed}
          title={t("Mark this file as viewed, or not ($1)", "V")}
          onClick={part.toggleViewed}
        >
          {t("Viewed")}
        </button>
        {tools}
      </div>
      <div ref={body} style={isNear || isFolded ? undefined : { height: `${height.current}px` }}>
        {children}
        {isNear && !isFolded && text?.(height.current, isVisible)}
      </div>
    </section>
  );
}

interface ScrollDiffProps extends ComparisonProps {
  readonly file: ScrolledFile;
  readonly part: ScrollPart;
  /** Of its texts. */
  readonly revision: string;
  /** The room that it takes until it is drawn. */
  readonly height: number;
}

/** The diff of a file in a scroll. It goes to a change in it. */
export function ScrollDiff({ file, part, revision, height, ...comparison }: ScrollDiffProps) {
  const { t, scroll, announcer } = useReview();
  const { decide, revert, onMark } = comparison;
  const view = useSignal<EditorView | undefined>(undefined);
  /** The revision that it shows: newer texts come into it only a moment later. */
  const shown = useRef<string | undefined>(undefined);
  const place = scroll.place.value;
  const pattern = part.isActive ? scroll.pattern.value : undefined;
  const found = scroll.found.value?.file === file.id ? scroll.found.value : undefined;
  useEffect(() => {
    if (!view.value) return;
    const views = viewsOf(view.value);
    const matches = pattern && found ? findMatches(views, pattern) : [];
    showMatches(views, pattern, matches[Math.min(found?.index ?? 0, matches.length - 1)]);
  }, [view.value, pattern, found]);
  useEffect(() => {
    if (!part.isActive || !view.value || place?.file !== file.id || place.notIn === shown.current) return;
    scroll.place.value = undefined;
    // To a match the search goes.
    if (place.hunk === undefined) return;
    const hunks = hunksOf(view.value.state);
    const hunk = hunks[Math.min(place.hunk, hunks.length - 1)];
    if (!hunk) return;
    showPosition(view.value, hunk.from);
    announcer.announce(`${file.label}: ${t("Change $1 of $2", hunk.index + 1, hunk.total)}`);
  }, [part.isActive, view.value, place]);
  const toShown = (view: EditorView): ShownFile => ({
    view,
    pass: (hunk) => {
      decide?.("keep", hunk);
      if (!onMark) return false;
      view.dispatch({ effects: setViewed.of({ at: hunk.from, viewed: !hunk.isViewed }) });
      return !hunk.isViewed;
    },
    revert: (hunk) => (decide ? decide("revert", hunk) : revert?.(view, hunk)),
    // The file on disk has the left text of a change that waits, and the right one of a change that is written.
    line: () => (onMark ? originalLineOfCursor(view) : lineOfCursor(view)),
  });
  return (
    <div style={{ minHeight: `${view.value ? 0 : height}px` }}>
      <Comparison
        {...comparison}
        rulerIn={part.rulerPart}
        isWhole={part.isWhole}
        onEditor={(editor) => {
          shown.current = revision;
          view.value = editor?.view;
          part.onShown(editor && toShown(editor.view));
          comparison.onEditor?.(editor);
        }}
      />
    </div>
  );
}

interface RulerPartProps {
  readonly file: ScrolledFile;
  readonly onElement: (part: HTMLElement | null) => void;
}

/** Its part of the ruler of all files: a mark until its editor, if it has one, draws the changes there. */
export function RulerPart({ file, onElement }: RulerPartProps) {
  const { place, current } = useReview().scroll;
  const kind = file.removed === 0 ? "added" : file.added === 0 ? "removed" : "changed";
  return (
    // biome-ignore lint/a11y: the keys reach all files
    <div
      ref={onElement}
      class="ruler-part"
      style={{ "--height": `${estimate(file)}` }}
      onClick={({ currentTarget }) => {
        current.value = file.id;
        if (!currentTarget.querySelector(".ruler")) place.value = { file: file.id, hunk: 0 };
      }}
    >
      <div class={`ruler-mark ruler-${kind}`} />
    </div>
  );
}

/** Pixels, before it is drawn: its changed lines, and some around each. */
const estimate = ({ added, removed }: ScrolledFile): number => Math.min(20 * (added + removed) + 160, 1200);

/** Whether an element is at most so far from what the user sees. */
function useNear(root: { readonly current: HTMLElement | null }, distance: string): boolean {
  const isNear = useSignal(false);
  useEffect(() => {
    if (!root.current) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        isNear.value = entry?.isIntersecting ?? false;
      },
      { root: root.current.closest(".scroll-files"), rootMargin: `${distance} 0px` },
    );
    observer.observe(root.current);
    return () => observer.disconnect();
  }, []);
  return isNear.value;
}
