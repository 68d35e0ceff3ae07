import type { EditorView } from "@codemirror/view";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { toComparable } from "../../../companion/src/files/comparable-text.ts";
import {
  type Hunk,
  isAllViewed,
  originalOf,
  showViewed,
  toggleAllViewed,
  viewedKeys,
  withoutHunk,
} from "../editor/hunks.ts";
import type { ProposalSummary } from "../model/api.ts";
import type { Setting } from "../model/preferences.ts";
import type { ScrollPlace } from "../model/scroll.ts";
import { useReview } from "../review-context.ts";
import { measureText } from "../text/text-scale.ts";
import { Button } from "./button.tsx";
import { ProposalBadges } from "./diff-badges.tsx";
import { Decision } from "./diff-head.tsx";
import { DecisionStrips, Strip } from "./diff-strips.tsx";
import { FileScroll } from "./file-scroll.tsx";
import { IconButton } from "./icon.tsx";
import { LineCounts, PathLabel } from "./labels.tsx";
import { Images, useSeen } from "./proposal-view.tsx";
import { ScrollDiff, ScrollFile, type ScrollPart } from "./scroll-file.tsx";
import { type DiffFigures, toFigures } from "./use-diff-editor.ts";
import { textOf } from "./written-file.tsx";

/** Waiting changes, one below the other, as they stand: all that are listed, or those of a turn. */
export function WaitingView({ id, isActive }: { readonly id: string; readonly isActive: boolean }) {
  const { t, api, waiting, controller, scroll } = useReview();
  const files = waiting.inTab(id);
  const group = waiting.group(id);
  if (files.length === 0)
    return (
      <Strip level="info">{t(id === "all" ? "Nothing fits." : "Nothing of this turn waits any more.")}</Strip>
    );
  const decide = (decision: "accept" | "reject") => (file: ProposalSummary) => {
    if (controller.find(file.id)?.isUnexpected.value === false) controller[decision](file.id);
  };
  const decision = (
    <>
      <Button onClick={() => waiting.showOneByOne(scroll.current.value)}>{t("One by one")}</Button>
      <Button onClick={() => waiting.ask("reject", group)}>{t("Reject all …")}</Button>
      <Button kind="primary" onClick={() => waiting.ask("accept", group)}>
        {t("Accept all …")}
      </Button>
    </>
  );
  return (
    <FileScroll
      {...{ id, isActive, files, decision }}
      label={t("Waiting")}
      title={
        <>
          {group && <span class="quiet">{group.agent}</span>}
          <span class="diff-path">{t("Waiting")}</span>
        </>
      }
      view={WaitingFile}
      read={async (file) => {
        const { original, proposed, draft = proposed } = await api.proposal(file);
        const after = controller.find(file)?.text() ?? draft;
        return [toComparable(textOf(original) ?? "", after).text, after];
      }}
      isViewed={({ id }) => controller.find(id)?.isViewed ?? false}
      toggleViewed={({ id }, shown) => {
        const review = controller.find(id);
        if (review?.isViewed) review.view([]);
        else if (shown) toggleAllViewed(shown.view);
      }}
      accept={decide("accept")}
      reject={decide("reject")}
      openAlone={({ id }) => controller.open(id, { isAlone: true })}
    />
  );
}

interface WaitingFileProps {
  readonly file: ProposalSummary;
  readonly part: ScrollPart;
}

function WaitingFile({ file, part }: WaitingFileProps) {
  const { t, controller } = useReview();
  const figures = useSignal<DiffFigures | undefined>(undefined);
  const { id } = file;
  const review = controller.find(id);
  const commands = { accept: () => controller.accept(id), reject: () => controller.reject(id) };
  const head = (
    <>
      <PathLabel path={file.label} title={`${file.agent}: ${file.filePath}`} />
      <LineCounts added={file.added} removed={file.removed} />
      <ProposalBadges summary={file} figures={figures.value} />
    </>
  );
  const tools = (
    <>
      <IconButton
        icon="comment"
        label={t("Edit or comment ($1)", "i")}
        onClick={() => controller.open(id, { isAlone: true })}
      />
      {review && <Decision review={review} summary={file} commands={commands} />}
    </>
  );
  return (
    <ScrollFile
      {...{ file, part, head, tools }}
      text={(height, isVisible) => <Change {...{ file, part, figures, height, isVisible }} />}
    >
      {review && <DecisionStrips review={review} summary={file} />}
    </ScrollFile>
  );
}

interface ChangeProps extends WaitingFileProps {
  readonly figures: Setting<DiffFigures | undefined>;
  readonly height: number;
  readonly isVisible: boolean;
}

/** A change as it stands, with what its user has edited and marked as viewed, once its texts are there. */
function Change({ file, part, figures, height, isVisible }: ChangeProps) {
  const { t, controller, frontend, scroll, toasts } = useReview();
  const review = controller.review(file.id);
  const loaded = review?.loaded.value;
  const view = useSignal<EditorView | undefined>(undefined);
  const viewed = review?.viewed.value;
  useSeen(review, part.isActive && isVisible && loaded?.state === "ready" && !file.seen);
  useEffect(() => {
    if (!view.value) return;
    showViewed(view.value, viewed ?? []);
    review?.noteViewed(isAllViewed(view.value));
  }, [view.value, viewed]);
  if (!review || loaded?.state === "loading") return <div style={{ height: `${height}px` }} />;
  if (loaded?.state === "failed") return <Strip level="warning">{loaded.reason}</Strip>;
  const original = review.base.value;
  const before = (original && textOf(original)) ?? "";
  const revision = `${review.drafts.value}`;
  const after = review.text() ?? "";
  const rewrite = (former: string, next: string, at: Omit<ScrollPlace, "notIn">) => {
    scroll.place.value = { ...at, notIn: `${review.drafts.value}` };
    review.rewrite((text) => (text === former ? next : text));
  };
  const revert = (view: EditorView, hunk: Hunk) => {
    const next = withoutHunk(view, hunk);
    const at = { file: file.id, hunk: hunk.index };
    rewrite(after, next, at);
    const text = t("Reverted: $1", t("change $1 of $2", hunk.index + 1, file.label));
    const undoing = { label: t("Undo"), run: () => rewrite(next, after, at), isUndo: true };
    toasts.say({ level: "info", subject: file.id, text, action: undoing });
  };
  const canRevert = original?.kind === "text" && original.exact && !review.isReadOnly.value;
  return (
    <>
      <Images {...{ original }} draft={after} fileName={frontend.paths.value.baseName(file.label)} />
      <ScrollDiff
        {...{ file, part, before, after, revision, height }}
        revert={canRevert ? revert : undefined}
        label={file.label}
        onMark={(view) => review.view(viewedKeys(view))}
        onEditor={(editor) => {
          view.value = editor?.view;
          if (!editor) return;
          const scale = measureText(before, editor.text());
          figures.value = toFigures(editor, originalOf(editor.view).toString(), scale, t);
        }}
      />
    </>
  );
}
