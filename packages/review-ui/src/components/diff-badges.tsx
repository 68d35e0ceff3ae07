import type { ComparableText } from "../../../companion/src/files/comparable-text.ts";
import type { ProposalSummary } from "../model/api.ts";
import type { ProposalReview } from "../model/proposal-review.ts";
import { useReview } from "../review-context.ts";
import { safeName } from "../text/paths.ts";
import type { TextBadge } from "../text/text-facts.ts";
import { Badge } from "./labels.tsx";
import type { DiffFigures } from "./use-diff-editor.ts";

interface ProposalBadgesProps {
  readonly summary: ProposalSummary;
  readonly figures: DiffFigures;
}

/** Facts about the whole proposal: a new file, an empty text, a path outside of the folders. */
export function ProposalBadges({ summary, figures }: ProposalBadgesProps) {
  const { t } = useReview();
  return (
    <>
      {figures.blankChange && <Badge kind="warning">{t(figures.blankChange)}</Badge>}
      {summary.isNewFile && (
        <Badge kind="added" title={t("This file does not exist yet. Accepting creates it.")}>
          {t("new file")}
        </Badge>
      )}
      {figures.isWholeFile && (
        <Badge kind="warning" title={t("No line of the file on disk is left.")}>
          {t("whole file replaced")}
        </Badge>
      )}
      {figures.isEmpty && (
        <Badge kind="warning" title={t("The text is empty. Some agents ignore an empty text.")}>
          {t("empty")}
        </Badge>
      )}
      {summary.outsideRoots && (
        <Badge
          kind="warning"
          title={t("$1 is outside of the folders opened here.", safeName(summary.filePath))}
        >
          {t("outside the workspace")}
        </Badge>
      )}
      {summary.edited && (
        <Badge kind="accent" title={t("This differs from what the agent proposed: it contains your edits.")}>
          {t("edited by you")}
        </Badge>
      )}
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
  return (
    <>
      {lineEndings && (
        <Badge
          title={t(
            "The file on disk has $1 line endings. $2 proposes LF, and writes the file's own again.",
            lineEndings,
            agent,
          )}
        >
          {lineEndings}
        </Badge>
      )}
      {byteOrderMark && (
        <Badge
          title={t(
            "The file on disk begins with a byte order mark. $1 proposes the text without it, and writes it again.",
            agent,
          )}
        >
          BOM
        </Badge>
      )}
    </>
  );
}

interface FormBadgesProps {
  readonly badges: readonly TextBadge[];
  readonly review: ProposalReview;
}

/** Changes of line endings, byte order mark and last newline, which a diff does not show, with buttons to undo them. */
export function FormBadges({ badges, review }: FormBadgesProps) {
  const { announcer } = useReview();
  return (
    <>
      {badges.map(({ kind, label, title, repair }) =>
        repair && !review.isReadOnly.value ? (
          <span key={kind} class="badge badge-warning badge-action" title={title}>
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
          <Badge key={kind} title={title}>
            {label}
          </Badge>
        ),
      )}
    </>
  );
}
