import type { ComparableText } from "../../../companion/src/files/comparable-text.ts";
import type { ProposalReview } from "../model/proposal-review.ts";
import { useReview } from "../review-context.ts";
import type { TextBadge } from "../text/text-facts.ts";

interface FileFormProps {
  readonly compared: ComparableText;
  readonly agent: string;
}

/** What the file has and the proposal leaves out, because the agent puts it back by itself. */
export function FileForm({ compared: { lineEndings, byteOrderMark }, agent }: FileFormProps) {
  const { t } = useReview();
  return (
    <>
      {lineEndings && (
        <span
          class="badge"
          title={t(
            "The file on disk has $1 line endings. $2 proposes LF, and writes the file's own again.",
            lineEndings,
            agent,
          )}
        >
          {lineEndings}
        </span>
      )}
      {byteOrderMark && (
        <span
          class="badge"
          title={t(
            "The file on disk begins with a byte order mark. $1 proposes the text without it, and writes it again.",
            agent,
          )}
        >
          BOM
        </span>
      )}
    </>
  );
}

interface FormBadgesProps {
  readonly badges: readonly TextBadge[];
  readonly review: ProposalReview;
}

/** Line endings, byte order mark, last newline: what a diff by lines does not show, and the way back. */
export function FormBadges({ badges, review }: FormBadgesProps) {
  const { announcer } = useReview();
  return (
    <>
      {badges.map(({ kind, label, title, repair }) =>
        repair ? (
          <span key={kind} class="badge badge-warning badge-action" title={title}>
            {label}
            <button
              type="button"
              class="link-button"
              aria-label={`${title} ${repair.label}`}
              onClick={() => {
                review.rewrite(repair.apply);
                announcer.say(`${label}: ${repair.label}`);
              }}
            >
              {repair.label}
            </button>
          </span>
        ) : (
          <span key={kind} class="badge" title={title}>
            {label}
          </span>
        ),
      )}
    </>
  );
}
