import { type Signal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { toComparable } from "../../../companion/src/files/comparable-text.ts";
import { CommentBox } from "../editor/comment-boxes.tsx";
import type { DiffComments } from "../editor/diff-comments.ts";
import type { DiffEditor } from "../editor/diff-editor.ts";
import {
  currentHunk,
  goToHunk,
  type Hunk,
  lineOfCursor,
  originalLineOfCursor,
  revertHunk,
  setViewed,
  toggleAllViewed,
} from "../editor/hunks.ts";
import { inViews } from "../editor/searched.ts";
import type { FileText, ProposalSummary } from "../model/api.ts";
import type { DiffCommands } from "../model/commands.ts";
import { flip } from "../model/preferences.ts";
import { placeOf } from "../model/proposal-comments.ts";
import type { ProposalReview } from "../model/proposal-review.ts";
import { useReview } from "../review-context.ts";
import { safeName } from "../text/paths.ts";
import { formatBytes } from "../text/text-facts.ts";
import { Button } from "./button.tsx";
import { DiffHead } from "./diff-head.tsx";
import { DiffStrips, Progress, Strip } from "./diff-strips.tsx";
import { EarlierVersion } from "./earlier-version.tsx";
import { FindBar } from "./find-bar.tsx";
import { ImageView, imageOfFile, imageOfText } from "./image-view.tsx";
import { TextParts, useRendered } from "./rendering.tsx";
import { useDiffEditor } from "./use-diff-editor.ts";

/** A waiting proposal: its progress until the texts have arrived, then its diff. */
export function ProposalView({ id, isActive }: { readonly id: string; readonly isActive: boolean }) {
  const { t, controller, frontend } = useReview();
  const review = controller.review(id);
  const summary = frontend.proposals.value.find((proposal) => proposal.id === id);
  if (!review || !summary) return null;
  const loaded = review.loaded.value;
  if (loaded.state === "failed") {
    const again = <Button onClick={() => void review.reconnected()}>{t("Try again")}</Button>;
    return (
      <Strip level="error" actions={again}>
        {loaded.reason}
      </Strip>
    );
  }
  if (loaded.state === "loading") return <Progress text={t("Loading $1 …", summary.label)} />;
  return <DiffView review={review} summary={summary} proposed={loaded.texts.proposed} isActive={isActive} />;
}

export interface DiffViewProps {
  readonly review: ProposalReview;
  readonly summary: ProposalSummary;
  readonly proposed: string;
  readonly isActive: boolean;
}

/** A proposal as a diff that can be edited and decided on. */
function DiffView({ review, summary, proposed, isActive }: DiffViewProps) {
  const { t, frontend, preferences } = useReview();
  const host = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const isCollapsed = useSignal(true);
  const original = review.base.value;
  const compared = useMemo(
    () => (original?.kind === "text" ? toComparable(original.text, proposed) : undefined),
    [original, proposed],
  );
  const before = compared?.text ?? "";
  const fileName = frontend.paths.value.baseName(summary.label);
  // A new file has no left side: it takes the whole width.
  const layout = useRendered(fileName) || before === "" ? "unified" : preferences.layout.value;
  const canRevert = original?.kind !== "text" || original.exact;
  const shown = useDiffEditor({
    host,
    review,
    fileName,
    before,
    layout,
    collapse: isCollapsed.value,
    canRevert: canRevert && original?.kind === "text",
    onLeave: () => head.current?.focus({ preventScroll: true }),
  });
  const commands = useDiffCommands({
    editor: shown.editor,
    comments: shown.comments,
    head,
    review,
    filePath: summary.filePath,
    isCollapsed,
    canRevert,
  });
  useInFront(isActive, commands, head);
  useLayoutEffect(() => {
    for (const view of (isActive && shown.editor.current?.views) || []) view.requestMeasure();
  }, [isActive, commands]);
  useSeen(review, isActive && !summary.seen);
  // The figures change when the user has changed the text.
  const draft = (shown.figures.value && review.text()) ?? proposed;
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
        line={() => lineOfCursor(shown.editor.current?.view)}
      />
      {layout !== shown.layout.value && (
        <Strip level="info">
          {t("Large file with many changes: they are shown in one column, as two take too long to align.")}
        </Strip>
      )}
      <DiffStrips review={review} summary={summary} proposed={proposed} figures={shown.figures.value} />
      <EarlierVersion summary={summary} />
      <CommentOnAll review={review} onLeave={() => head.current?.focus()} />
      {shown.isComparing.value && (
        <>
          <Progress text={t("Comparing $1 of text …", formatBytes(before.length + proposed.length))} />
          <pre class="text-top">{topOf(review.text() ?? proposed)}</pre>
        </>
      )}
      <Images {...{ original, draft, fileName }} />
      <FindBar searched={() => inViews(() => shown.editor.current?.views ?? [])} isActive={isActive} />
      <TextParts
        host={host}
        kind={`editor diff diff-${shown.layout.value}`}
        {...{ text: draft, fileName, view: shown.editor.current?.view }}
      />
    </>
  );
}

/** The file before and after, where it is an image. */
export function Images({ original, draft, fileName }: ImagesProps) {
  const { t } = useReview();
  const [before, after] = [imageOfFile(original, fileName), imageOfText(draft, fileName)];
  return (
    <ImageView
      sources={[
        [t("On disk"), before],
        [t("Proposed"), after],
      ]}
    />
  );
}

interface ImagesProps {
  readonly original: FileText | undefined;
  readonly draft: string;
  readonly fileName: string;
}

/** The comment on all of the change, above its lines. */
function CommentOnAll({
  review: { comments },
  onLeave,
}: Pick<DiffViewProps, "review"> & { onLeave(): void }) {
  const { t } = useReview();
  const comment = comments.onAll.value;
  const isOpen = comment !== undefined && comments.open.value === comment.id;
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isOpen) box.current?.querySelector("textarea")?.focus();
  }, [isOpen]);
  if (!comment) return null;
  const place = placeOf(t, comment);
  return (
    <div ref={box} class="comment-on-all">
      <CommentBox {...{ t, place, comment, isOpen, onLeave }} actions={comments} />
    </div>
  );
}

/** Reports once that the user sees a proposal. @param isNews whether it is in front, and has not been seen */
export function useSeen(review: ProposalReview | undefined, isNews: boolean): void {
  useEffect(() => {
    const look = () => {
      if (isNews && review && !document.hidden) review.view(review.viewed.peek());
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [isNews]);
}

/** The beginning of a text, at most what a window shows, for reading while it is compared. */
function topOf(text: string): string {
  const lines = text.slice(0, 20_000).split(/\r\n?|\n/, 100);
  return lines.map((line) => line.split("\t").map(safeName).join("\t")).join("\n");
}

/**
 * Has the keys do what the diff of the active tab can. The focus moves to its head, unless a visible element has it.
 */
export function useInFront(
  isActive: boolean,
  commands: DiffCommands,
  head: RefObject<HTMLElement | null>,
): void {
  const { diff } = useReview();
  // Before the next key, which is meant for what is in front then.
  useLayoutEffect(() => {
    if (!isActive) return;
    diff.value = commands;
    const focused = document.activeElement;
    const isSomewhere =
      focused instanceof HTMLElement && focused !== document.body && focused.checkVisibility();
    if (!isSomewhere) head.current?.focus({ preventScroll: true });
    return () => {
      if (diff.peek() === commands) diff.value = undefined;
    };
  }, [isActive, commands]);
}

interface DiffCommandsUse {
  readonly editor: RefObject<DiffEditor | null>;
  readonly comments: DiffComments;
  readonly head: RefObject<HTMLElement | null>;
  readonly review: ProposalReview;
  readonly filePath: string;
  readonly isCollapsed: Signal<boolean>;
  readonly canRevert: boolean;
}

function useDiffCommands(use: DiffCommandsUse): DiffCommands {
  const { editor, comments, head, review, filePath, isCollapsed, canRevert } = use;
  const { t, controller, announcer, guide } = useReview();
  return useMemo(() => {
    const say = (hunk: Hunk | undefined) => {
      const sentence = hunk?.isViewed ? "Change $1 of $2, viewed" : "Change $1 of $2";
      if (hunk) announcer.announce(t(sentence, hunk.index + 1, hunk.total));
    };
    const goTo = (direction: 1 | -1) => {
      if (editor.current) say(goToHunk(editor.current.view, direction));
    };
    const decide = (decision: "accept" | "reject") => {
      if (!review.isUnexpected.value) controller[decision](review.id);
    };
    return {
      goTo,
      pass: () => {
        const view = editor.current?.view;
        const hunk = view && currentHunk(view.state);
        if (!hunk) return;
        view.dispatch({ effects: setViewed.of({ at: hunk.from, viewed: !hunk.isViewed }) });
        if (!hunk.isViewed) goTo(1);
      },
      passAll: () => {
        if (editor.current) toggleAllViewed(editor.current.view);
      },
      revert: () => {
        const view = editor.current?.view;
        const hunk = view && currentHunk(view.state);
        if (!hunk || !canRevert || view.state.readOnly) return;
        revertHunk(view, hunk);
        announcer.announce(t("Change $1 reverted", hunk.index + 1));
      },
      comment: () => {
        if (editor.current) comments.start(editor.current.view);
      },
      commentOnAll: () => review.comments.start(),
      accept: () => decide("accept"),
      reject: () => decide("reject"),
      open: () => {
        const view = editor.current?.view;
        void guide.openInEditor(filePath, view ? originalLineOfCursor(view) : 1);
      },
      toggleUnchanged: () => flip(isCollapsed),
      enter: () => editor.current?.enter(),
      leave: () => head.current?.focus(),
    };
  }, [editor, comments, head, review, filePath, isCollapsed, canRevert, controller, announcer, guide]);
}
