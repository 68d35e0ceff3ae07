import { useReview } from "../review-context.ts";
import { DiffView } from "./diff-view.tsx";
import { Progress } from "./progress.tsx";
import { Strip } from "./strip.tsx";

/** A waiting proposal, from the moment its texts are here. */
export function ProposalView({ id, isActive }: { readonly id: string; readonly isActive: boolean }) {
  const { t, controller, frontend } = useReview();
  const review = controller.review(id);
  const summary = frontend.proposals.value.find((proposal) => proposal.id === id);
  if (!review || !summary) return null;
  const loaded = review.loaded.value;
  if (loaded.state === "failed") {
    const again = (
      <button type="button" class="button" onClick={() => void review.reconnected()}>
        {t("Try again")}
      </button>
    );
    return (
      <Strip level="error" actions={again}>
        {loaded.reason}
      </Strip>
    );
  }
  if (loaded.state === "loading") return <Progress text={t("Loading $1 …", summary.label)} />;
  return <DiffView review={review} summary={summary} proposed={loaded.texts.proposed} isActive={isActive} />;
}
