import { faintDifferences } from "../../../companion/src/core/sentences.ts";
import type { ComparableText } from "../../../companion/src/files/comparable-text.ts";
import type { Sentence } from "../language/language.ts";
import type { ProposalSummary } from "../model/api.ts";
import type { ProposalReview } from "../model/proposal-review.ts";
import { useReview } from "../review-context.ts";
import { safeName } from "../text/paths.ts";
import type { TextBadge } from "../text/text-facts.ts";
import { Badge } from "./labels.tsx";
import type { DiffFigures } from "./use-diff-editor.ts";

interface ProposalBadgesProps {
  readonly summary: ProposalSummary;
  /** Undefined until the texts are compared. */
  readonly figures: DiffFigures | undefined;
}

/** Facts about the whole proposal: a new file, an empty text, a path outside of the folders. */
export function ProposalBadges({ summary, figures }: ProposalBadgesProps) {
  const { t } = useReview();
  const { isNewFile, outsideRoots, edited, filePath } = summary;
  const { faint, isWholeFile, isEmpty } = figures ?? {};
  const badge = (kind: "accent" | "added" | "warning", text: Sentence, title: string) => (
    <Badge kind={kind} title={title}>
      {t(text)}
    </Badge>
  );
  const outside = t("$1 is outside of the folders opened here.", safeName(filePath));
  const ownEdits = t("This differs from what the agent proposed: it contains your edits.");
  const emptied = t("The text is empty. Some agents ignore an empty text.");
  return (
    <>
      {/* A byte order mark has a separate badge. */}
      {faint && faint !== "byte-order-mark" && <Badge kind="warning">{t(faintDifferences[faint])}</Badge>}
      {isNewFile && badge("added", "new file", t("This file does not exist yet. Accepting creates it."))}
      {isWholeFile && badge("warning", "whole file replaced", t("No line of the file on disk is left."))}
      {isEmpty && badge("warning", "empty", emptied)}
      {outsideRoots && badge("warning", "outside the workspace", outside)}
      {edited && badge("accent", "edited by you", ownEdits)}
    </>
  );
}

interface FileFormProps {
  readonly compared: ComparableText;
  readonly agent: string;
}

/** Line endings and byte order mark of the file that the proposal lacks, and that the agent restores. */
export function FileForm({ compared: { lineEndings, byteOrderMark }, agent }: FileFormProps) {
  const { t } = useReview();
  const endings = "The file on disk has $1 line endings. $2 proposes LF, and writes the file's own again.";
  const mark =
    "The file on disk begins with a byte order mark. $1 proposes the text without it, and writes it again.";
  return (
    <>
      {lineEndings && <Badge title={t(endings, lineEndings, agent)}>{lineEndings}</Badge>}
      {byteOrderMark && <Badge title={t(mark, agent)}>BOM</Badge>}
    </>
  );
}

interface FormBadgesProps {
  readonly badges: readonly TextBadge[];
  /** Of a change, whose text can be repaired. */
  readonly review?: ProposalReview;
}

/** Line endings, byte order mark and last newline, which no line shows, with buttons to undo their changes. */
export function FormBadges({ badges, review }: FormBadgesProps) {
  const { announcer } = useReview();
  return (
    <>
      {badges.map(({ label, title, repair }) =>
        repair && review?.isReadOnly.value === false ? (
          <span key={label} class="badge badge-warning" title={title}>
            {label}
            <button
              type="button"
              class="link-button"
              aria-label={`${title} ${repair.label}`}
              onClick={() => {
                review.rewrite(repair.apply);
                announcer.announce(`${label}: ${repair.label}`);
              }}
            >
              {repair.label}
            </button>
          </span>
        ) : (
          <Badge key={label} title={title}>
            {label}
          </Badge>
        ),
      )}
    </>
  );
}
