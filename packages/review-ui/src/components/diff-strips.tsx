import type { ProposalReview } from "../model/proposal-review.ts";
import type { ProposalSummary } from "../model/wire.ts";
import { useReview } from "../review-context.ts";
import { explainFile } from "../text/explain-file.ts";
import { explainScale } from "../text/text-scale.ts";
import { Strip } from "./strip.tsx";
import type { DiffFigures } from "./use-diff-editor.ts";

interface DiffStripsProps {
  readonly review: ProposalReview;
  readonly summary: ProposalSummary;
  readonly proposed: string;
  readonly figures: DiffFigures;
}

/** What there is to say about a diff besides its lines. */
export function DiffStrips({ review, summary, proposed, figures }: DiffStripsProps) {
  const { announcer } = useReview();
  const original = review.base.value;
  const scale = explainScale(figures.scale, "diff");
  const reset = (
    <button
      type="button"
      class="button"
      onClick={() => {
        review.rewrite(() => proposed);
        announcer.say("Your edits are undone: this is what the agent proposed.");
      }}
    >
      Undo my edits
    </button>
  );
  return (
    <>
      {review.refusal.value && (
        <Strip level="error">
          <strong>Not taken.</strong> {review.refusal.value}
        </Strip>
      )}
      {review.isBaseOld.value && <OldBase review={review} />}
      {original && original.kind !== "text" && (original.kind !== "missing" || !summary.isNewFile) && (
        <Strip level="warning">{explainFile(original)} Below is the whole text that takes its place.</Strip>
      )}
      {original?.kind === "text" && !original.exact && (
        <Strip level="warning">
          The file on disk is not valid UTF-8: some of its characters are shown as �, and single changes
          cannot be taken back, as that would write those.
        </Strip>
      )}
      {scale && <Strip level="info">{scale}</Strip>}
      {figures.hunks === 0 && !figures.isEmpty && (
        <Strip level="info" actions={summary.edited ? reset : undefined}>
          This text is the same as the file on disk.
        </Strip>
      )}
      {figures.hunks > 0 && summary.edited && (
        <Strip level="info" actions={reset}>
          You have changed what {summary.agent} proposed. Accept sends the text exactly as you see it.
        </Strip>
      )}
    </>
  );
}

function OldBase({ review }: { readonly review: ProposalReview }) {
  const { toasts } = useReview();
  const show = async () => {
    try {
      await review.showDiskAsBase();
    } catch (error) {
      toasts.show({ level: "error", text: error instanceof Error ? error.message : String(error) });
    }
  };
  const button = (
    <button type="button" class="button" onClick={() => void show()}>
      Show it as the base
    </button>
  );
  return (
    <Strip level="warning" actions={button}>
      <strong>The file on disk has changed</strong> since this was proposed. Accepting replaces what it is
      now.
    </Strip>
  );
}
