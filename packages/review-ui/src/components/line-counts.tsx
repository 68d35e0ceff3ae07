import { useReview } from "../review-context.ts";

/** `+12 −3` */
export function LineCounts({ added, removed }: { readonly added: number; readonly removed: number }) {
  const { t } = useReview();
  const sentence = t("$1 lines added, $2 removed", added, removed);
  return (
    <span class="counts" role="img" aria-label={sentence} title={sentence}>
      <span class="count-added">+{added}</span> <span class="count-removed">−{removed}</span>
    </span>
  );
}
