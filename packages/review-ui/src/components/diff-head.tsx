import type { ComponentChildren, RefObject } from "preact";
import { type ComparableText, toFormOf } from "../../../companion/src/files/comparable-text.ts";
import { holdsClash } from "../../../companion/src/files/merge.ts";
import type { ProposalSummary } from "../model/api.ts";
import type { DiffCommands } from "../model/commands.ts";
import { onMac } from "../model/key-name.ts";
import { assign, flip } from "../model/preferences.ts";
import type { ProposalReview } from "../model/proposal-review.ts";
import { useReview } from "../review-context.ts";
import { Button } from "./button.tsx";
import { CopyMenu, toSide } from "./copy-menu.tsx";
import { FileForm, FormBadges, ProposalBadges } from "./diff-badges.tsx";
import { IconButton } from "./icon.tsx";
import { Badge, LineCounts, TextTitle } from "./labels.tsx";
import { RenderButton, useRendered } from "./rendering.tsx";
import type { DiffFigures } from "./use-diff-editor.ts";

interface DiffHeadProps {
  readonly rootRef: RefObject<HTMLDivElement | null>;
  readonly summary: ProposalSummary;
  readonly review: ProposalReview;
  /** Undefined until the texts are compared. */
  readonly figures: DiffFigures | undefined;
  readonly commands: DiffCommands;
  readonly isCollapsed: boolean;
  /** The text on disk that the draft is compared with; undefined when there is none. */
  readonly compared: ComparableText | undefined;
  /** That of the cursor in the draft. */
  readonly line: () => number;
}

/** The agent, the file, the number of changes, and the buttons to decide. */
export function DiffHead(props: DiffHeadProps) {
  const { rootRef, summary, review, figures, commands, isCollapsed, compared, line } = props;
  const { t } = useReview();
  const original = toSide(review.base.value);
  const isRendered = useRendered(summary.label);
  return (
    <div
      ref={rootRef}
      class="diff-head bar"
      role="toolbar"
      tabIndex={-1}
      data-area
      aria-label={t("Decide on the change of $1", summary.label)}
    >
      <TextTitle who={summary.agent} file={summary}>
        <CopyMenu
          file={summary}
          line={line}
          {...(!summary.isNewFile && { open: commands.open })}
          sides={async () => [original, toFormOf(original ?? "", review.text() ?? "")]}
        />
        <LineCounts added={summary.added} removed={summary.removed} />
        <ProposalBadges summary={summary} figures={figures} />
        <CommentCount review={review} agent={summary.agent} />
        {compared && <FileForm compared={compared} agent={summary.agent} />}
        {compared && figures && <FormBadges badges={figures.badges} review={review} />}
      </TextTitle>
      <div class="diff-tools row">
        <Navigation figures={figures} commands={commands} />
        <Arrangement
          commands={commands}
          isCollapsed={isCollapsed}
          canSplit={(compared?.text ?? "") !== "" && !isRendered}
        >
          <RenderButton fileName={summary.label} />
        </Arrangement>
        <Decision review={review} summary={summary} commands={commands} />
      </div>
    </div>
  );
}

/** How many comments a decision sends. */
function CommentCount({ review, agent }: Pick<DiffHeadProps, "review"> & { readonly agent: string }) {
  const { t } = useReview();
  const { length } = review.comments.written.value;
  if (length === 0) return null;
  return (
    <Badge kind="accent" title={t("$1 receives them with your decision", agent)}>
      {length === 1 ? t("1 comment") : t("$1 comments", length)}
    </Badge>
  );
}

function Navigation({ figures, commands }: Pick<DiffHeadProps, "figures" | "commands">) {
  const { t } = useReview();
  const { hunks = 0, viewed = 0 } = figures ?? {};
  const count = hunks === 0 ? t("no change") : hunks === 1 ? t("1 change") : t("$1 changes", hunks);
  const progress = figures ? count : "…";
  return (
    <div class="tool-group">
      <span class="quiet diff-progress">
        {viewed > 0 ? t("$1 of $2 viewed", viewed, progress) : progress}
      </span>
      <Steps commands={commands} isOff={hunks === 0} />
      <IconButton
        icon="comment"
        label={t("Comment on the change ($1)", "C")}
        onClick={() => commands.commentOnAll()}
      />
    </div>
  );
}

/** To the previous and the next change. */
export function Steps({ commands, isOff }: { readonly commands: DiffCommands; readonly isOff: boolean }) {
  const { t } = useReview();
  return (
    <>
      <IconButton
        icon="up"
        label={t("Previous change ($1)", "k")}
        disabled={isOff}
        onClick={() => commands.goTo(-1)}
      />
      <IconButton
        icon="down"
        label={t("Next change ($1)", "j")}
        disabled={isOff}
        onClick={() => commands.goTo(1)}
      />
    </>
  );
}

interface ArrangementProps {
  readonly commands: DiffCommands;
  readonly isCollapsed: boolean;
  readonly canSplit: boolean;
  readonly children?: ComponentChildren;
}

/** The layout, wrapping, white space and folding of a diff. */
export function Arrangement({ commands, isCollapsed, canSplit, children }: ArrangementProps) {
  const { t, preferences } = useReview();
  const { layout, wrap, hidesBlanks } = preferences;
  const isSplit = layout.value === "side-by-side";
  return (
    <div class="tool-group">
      <IconButton
        icon={isSplit ? "unified" : "split"}
        label={t(isSplit ? "Unified view ($1)" : "Side by side ($1)", "u")}
        disabled={!canSplit}
        onClick={() => assign(layout, isSplit ? "unified" : "side-by-side")}
      />
      <IconButton
        icon="wrap"
        label={t("Wrap long lines ($1)", "w")}
        aria-pressed={wrap.value}
        onClick={() => flip(wrap)}
      />
      <IconButton
        icon="blank"
        label={t("Hide changes of white space alone ($1)", "h")}
        aria-pressed={hidesBlanks.value}
        onClick={() => flip(hidesBlanks)}
      />
      {children}
      <Button
        kind="quiet"
        aria-pressed={!isCollapsed}
        title={t("Show or fold unchanged lines ($1)", "e")}
        onClick={() => commands.toggleUnchanged()}
      >
        {t(isCollapsed ? "Show all" : "Fold")}
      </Button>
    </div>
  );
}

interface DecisionProps extends Pick<DiffHeadProps, "review" | "summary"> {
  readonly commands: Pick<DiffCommands, "accept" | "reject">;
}

/** Buttons that decide on a change. */
export function Decision({ review, summary, commands }: DecisionProps) {
  const { t, connection } = useReview();
  const isOff = review.isDeciding.value || review.isUnexpected.value || connection.state.value !== "open";
  const mod = onMac ? "⌘" : "Ctrl+";
  const isOwnVersion = summary.readOnlyReason !== undefined && summary.edited;
  const { length } = review.comments.written.value;
  const acceptTitle = isOwnVersion
    ? t("Accept the text of $1, which is written without your edits ($2)", summary.agent, `${mod}Enter`)
    : t("Accept exactly what is shown ($1)", `${mod}Enter`);
  const { state } = summary;
  const isBlocked = state === "stale" || (state === "clash" && holdsClash(review.text() ?? ""));
  return (
    <div class="tool-group decision">
      {state !== "same" && (
        <Button disabled={isOff} title={t("Reject ($1)", `${mod}Shift+Backspace`)} onDecide={commands.reject}>
          {t(length > 0 ? "Reject and say why" : "Reject")}
        </Button>
      )}
      <Button kind="primary" disabled={isOff || isBlocked} title={acceptTitle} onDecide={commands.accept}>
        {t(length > 0 ? "Accept and ask for more" : "Accept")}
      </Button>
    </div>
  );
}
