import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { toSentence } from "../../../companion/src/core/sentences.ts";
import type { Sentence } from "../language/language.ts";
import { explainError, type FileText, type ProposalSummary } from "../model/api.ts";
import { assign } from "../model/preferences.ts";
import type { ProposalReview } from "../model/proposal-review.ts";
import { useReview } from "../review-context.ts";
import { explainFile } from "../text/text-facts.ts";
import { explainScale } from "../text/text-scale.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { Time } from "./labels.tsx";
import type { DiffFigures } from "./use-diff-editor.ts";

interface DiffStripsProps {
  readonly review: ProposalReview;
  readonly summary: ProposalSummary;
  readonly proposed: string;
  /** Undefined until the texts are compared. */
  readonly figures: DiffFigures | undefined;
}

/** Messages above a diff. */
export function DiffStrips({ review, summary, proposed, figures }: DiffStripsProps) {
  const { t, announcer } = useReview();
  const scale = figures && explainScale(figures.scale, "diff", t);
  const isSame = figures?.hunks === 0 && !figures.isEmpty && !figures.hidesBlanks;
  const reset = (
    <Button
      onClick={() => {
        review.rewrite(() => proposed);
        announcer.announce(t("Your edits are undone: this is what the agent proposed."));
      }}
    >
      {t("Undo my edits")}
    </Button>
  );
  return (
    <>
      <DecisionStrips review={review} summary={summary} />
      {review.isReadOnly.value && <ReadOnly review={review} summary={summary} />}
      {summary.opensOneDiff && <OpensOneDiff key={summary.id} summary={summary} />}
      <SavedVersion review={review} summary={summary} />
      {scale && <Strip level="info">{scale}</Strip>}
      {figures?.hidesBlanks && <HiddenBlanks />}
      {isSame && summary.state !== "same" && (
        <Strip level="info" actions={summary.edited ? reset : undefined}>
          {t("This text is the same as the file on disk.")}
        </Strip>
      )}
      {figures && figures.hunks > 0 && summary.edited && (
        <Strip level="info" actions={reset}>
          {t(
            summary.readOnlyReason === undefined
              ? "You have changed what $1 proposed. Accept sends the text exactly as you see it."
              : "Accept lets $1 write its own text. After that you can compare your version with the file, and restore it.",
            summary.agent,
          )}
        </Strip>
      )}
    </>
  );
}

/** What its user has to know before they decide. */
export function DecisionStrips({ review, summary }: Pick<DiffStripsProps, "review" | "summary">) {
  const { t } = useReview();
  const original = review.base.value;
  return (
    <>
      {review.refusal.value && (
        <Strip level="error">
          <strong>{t("Refused.")}</strong> {review.refusal.value}
        </Strip>
      )}
      <ChangedOnDisk review={review} summary={summary} />
      {original && original.kind !== "text" && original.kind !== "missing" && (
        <Strip level="warning">
          {!isShownImage(original) && explainFile(original, t)}{" "}
          {t("Below is the whole text that replaces it.")}
        </Strip>
      )}
      {original?.kind === "text" && !original.exact && (
        <Strip level="warning">
          {t(
            "The file on disk is not valid UTF-8: some of its characters are shown as �, and single changes cannot be reverted, as that would write those.",
          )}
        </Strip>
      )}
    </>
  );
}

/** Says what a diff does not show. */
export function HiddenBlanks() {
  const { t, preferences } = useReview();
  return (
    <Strip
      level="info"
      actions={<Button onClick={() => assign(preferences.hidesBlanks, false)}>{t("Show them")}</Button>}
    >
      {t("Lines that differ in white space alone are shown as unchanged.")}
    </Strip>
  );
}

/** Its image is above the text. */
const isShownImage = (file: FileText) =>
  file.kind === "binary" && file.image !== undefined && !("limit" in file.image);

/** Why the text cannot be edited, and the two ways out. */
function ReadOnly({ review, summary }: Pick<DiffStripsProps, "review" | "summary">) {
  const { t, translate } = useReview();
  const { agent, readOnlyReason } = summary;
  const edit = () => assign(review.isReadOnly, false);
  const button = <Button onClick={edit}>{t("Edit my own version")}</Button>;
  return (
    <Strip level="info" actions={button}>
      {readOnlyReason && toSentence(readOnlyReason, translate)}{" "}
      {t("You can reject the change and tell $1 in its terminal what to change.", agent)}
    </Strip>
  );
}

/** Milliseconds after which a user may have gone on in the agent's terminal. */
const longWait = 60_000;

/** Why the agent shows nothing else, once the change has waited for long. */
function OpensOneDiff({ summary: { agent, openedAt } }: Pick<DiffStripsProps, "summary">) {
  const { t } = useReview();
  const [left, setLeft] = useState(openedAt + longWait - Date.now());
  useEffect(() => {
    const timer = setTimeout(() => setLeft(0), left);
    return () => clearTimeout(timer);
  }, [left]);
  return left > 0 ? null : (
    <Strip level="info">{t("$1 waits for this before it shows another.", agent)}</Strip>
  );
}

/** The user's version of an earlier change of the same file, which the agent proposes to change again. */
function SavedVersion({ review, summary }: Pick<DiffStripsProps, "review" | "summary">) {
  const { t, api, recovered, tabs, toasts } = useReview();
  const saved = recovered.list.value.find(({ filePath }) => filePath === summary.filePath);
  if (!saved) return null;
  const use = async () => {
    try {
      const { text } = await api.edits(saved.id);
      review.rewrite(() => text);
    } catch (error) {
      toasts.show({ level: "error", text: explainError(error) });
    }
  };
  const buttons = (
    <>
      <Button onClick={() => tabs.open({ kind: "recovered", subject: saved.id })}>{t("Compare")}</Button>
      {!review.isReadOnly.value && <Button onClick={() => void use()}>{t("Use it here")}</Button>}
    </>
  );
  return (
    <Strip level="info" actions={buttons}>
      {t("Your version of $1 is saved", summary.label)}. <Time at={saved.at} />
    </Strip>
  );
}

/** How the change stands to its file, where that has changed on disk. */
function ChangedOnDisk({ review, summary: { agent, state } }: Pick<DiffStripsProps, "review" | "summary">) {
  const { t } = useReview();
  if (state === "current")
    return review.isDeleted.value ? (
      <Strip level="warning">
        {t("The file was deleted since this was proposed. Accepting makes it again.")}
      </Strip>
    ) : null;
  return (
    <Strip level={state === "merged" || state === "same" ? "info" : "warning"}>
      {t(states[state], agent)}
    </Strip>
  );
}

const states = {
  merged:
    "The file has changed on disk since this was proposed. What is new there is part of the text below, and stays.",
  clash:
    "The file has changed on disk in the same lines. Both versions are below, between <<<<<<< and >>>>>>>: choose between them, then accept.",
  same: "The file already holds this.",
  stale:
    "The file has changed on disk, and $1 would overwrite that. Reject the change, and ask $1 to read the file again.",
} as const satisfies Record<string, Sentence>;

interface StripProps {
  /** `accent`: good news. */
  readonly level: "info" | "accent" | "warning" | "error";
  readonly role?: "note" | "status" | "alert";
  readonly children: ComponentChildren;
  /** Buttons. */
  readonly actions?: ComponentChildren;
}

/** A message above a text, or above all of them. */
export function Strip({ level, role = level === "info" ? "note" : "alert", children, actions }: StripProps) {
  return (
    <div class={`bar strip strip-${level}`} role={role}>
      {level !== "info" && <Icon name={level === "accent" ? "check" : "warning"} />}
      <p>{children}</p>
      {actions}
    </div>
  );
}

/** Shows that something is in progress. */
export function Progress({ text }: { readonly text: string }) {
  return (
    <div class="progress row quiet" role="status">
      <progress aria-label={text} />
      <p>{text}</p>
    </div>
  );
}
