import { describeOutcome } from "../../../companion/src/core/sentences.ts";
import type { Comment, HistoryEntry, ProposalSummary } from "../model/api.ts";
import { placeOf } from "../model/proposal-comments.ts";
import { useReview } from "../review-context.ts";
import { Button } from "./button.tsx";
import { Strip } from "./diff-strips.tsx";
import { Time } from "./labels.tsx";
import { useAnswer } from "./use-answer.ts";

/** Milliseconds in which an agent that was rejected comes back to the same change. */
const comingBack = 3_600_000;

/** The last proposal for the same file, where its user has not accepted that. */
export function earlierVersion(
  { filePath, agent, openedAt }: ProposalSummary,
  history: readonly HistoryEntry[],
): HistoryEntry | undefined {
  const last = history.find((entry) => entry.filePath === filePath);
  const isSeen = last?.code === "rejected" || last?.code === "closed: replaced";
  return isSeen && last.agent === agent && openedAt - last.at < comingBack ? last : undefined;
}

/** Leads from a change to its earlier version, and says what its user has written about that. */
export function EarlierVersion({ summary }: { readonly summary: ProposalSummary }) {
  const { frontend } = useReview();
  const entry = earlierVersion(summary, frontend.history.value);
  return entry ? <SeenVersion key={entry.id} entry={entry} /> : null;
}

function SeenVersion({ entry }: { readonly entry: HistoryEntry }) {
  const { t, translate, api, tabs } = useReview();
  const { id, at } = entry;
  const { answer } = useAnswer(() => api.history(id), [id]);
  const compare = <Button onClick={() => tabs.open({ kind: "history", subject: id })}>{t("Compare")}</Button>;
  return (
    <>
      <Strip level="info" actions={compare}>
        {t("You have seen an earlier version: $1.", describeOutcome(entry, translate))} <Time at={at} />
      </Strip>
      {answer?.comments && <SentComments comments={answer.comments} />}
    </>
  );
}

/** What was sent with the decision. */
export function SentComments({ comments }: { readonly comments: readonly Comment[] }) {
  const { t } = useReview();
  return (
    <Strip level="info">
      {comments.map((comment, index) => (
        <span key={index} class="sent-comment">
          <strong>{placeOf(t, comment)}</strong> {comment.text.trim()}
        </span>
      ))}
    </Strip>
  );
}
