import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { toComparable } from "../../../companion/src/doors/review/comparable-text.ts";
import type { ProposalReview } from "../model/proposal-review.ts";
import type { ProposalSummary } from "../model/wire.ts";
import { useReview } from "../review-context.ts";
import { DiffHead } from "./diff-head.tsx";
import { DiffStrips } from "./diff-strips.tsx";
import { useDiffCommands } from "./use-diff-commands.ts";
import { useDiffEditor } from "./use-diff-editor.ts";

export interface DiffViewProps {
  readonly review: ProposalReview;
  readonly summary: ProposalSummary;
  readonly proposed: string;
  readonly isActive: boolean;
}

/** A proposal as a diff that can be edited and decided on. */
export function DiffView({ review, summary, proposed, isActive }: DiffViewProps) {
  const { door, preferences, diff } = useReview();
  const host = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const isCollapsed = useSignal(true);
  const original = review.base.value;
  const compared = useMemo(
    () => (original?.kind === "text" ? toComparable(original.text, proposed) : undefined),
    [original, proposed],
  );
  const before = compared?.text ?? "";
  // Beside nothing there is nothing to see: a new file takes the whole width.
  const layout = before === "" ? "unified" : preferences.layout.value;
  const canTakeBack = original?.kind !== "text" || original.exact;
  const shown = useDiffEditor({
    host,
    review,
    fileName: door.paths.value.baseName(summary.label),
    before,
    layout,
    wrap: preferences.wrap.value,
    collapse: isCollapsed.value,
    canTakeBack: canTakeBack && original?.kind === "text",
  });
  const commands = useDiffCommands({ editor: shown.editor, head, review, isCollapsed, canTakeBack });
  useEffect(() => {
    if (!isActive) return;
    diff.value = commands;
    for (const view of shown.editor.current?.views ?? []) view.requestMeasure();
    takeOverFocus(head.current);
    return () => {
      if (diff.peek() === commands) diff.value = undefined;
    };
  }, [isActive, commands]);
  return (
    <>
      <DiffHead
        rootRef={head}
        summary={summary}
        review={review}
        figures={shown.figures.value}
        commands={commands}
        isCollapsed={isCollapsed.value}
        compared={compared}
      />
      <DiffStrips review={review} summary={summary} proposed={proposed} figures={shown.figures.value} />
      <div ref={host} class={`editor diff diff-${layout}`} />
    </>
  );
}

/** What had the focus may be hidden now; a focus that is somewhere in sight stays. */
function takeOverFocus(head: HTMLElement | null): void {
  const focused = document.activeElement;
  const isSomewhere =
    focused instanceof HTMLElement && focused !== document.body && focused.checkVisibility();
  if (!isSomewhere) head?.focus({ preventScroll: true });
}
