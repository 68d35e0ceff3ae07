import { useSignal } from "@preact/signals";
import type { WaitingComments } from "../model/api.ts";
import { useReview } from "../review-context.ts";
import { safeName } from "../text/paths.ts";
import { Button } from "./button.tsx";
import { PanelSection, Time } from "./labels.tsx";

/** The comments that no agent has received: to be copied, put into a prompt, or discarded. */
export function WaitingCommentsList() {
  const { t, waitingComments } = useReview();
  const list = waitingComments.list.value;
  if (list.length === 0) return null;
  return (
    <PanelSection id="waiting-comments-title" title={t("Comments that wait")} count={list.length}>
      <ul class="waiting-comments">
        {list.map((comments) => (
          <Entry key={comments.id} entry={comments} />
        ))}
      </ul>
    </PanelSection>
  );
}

function Entry({ entry }: { readonly entry: WaitingComments }) {
  const { t, translateFor, frontend, waitingComments } = useReview();
  const isAsking = useSignal(false);
  const { id, agent, at, filePath, label, reason, comments, message } = entry;
  const count = comments.length === 1 ? t("1 comment") : t("$1 comments", comments.length);
  return (
    <li>
      <div class="waiting-title" title={safeName(filePath)}>
        {count} · <bdi>{frontend.paths.value.baseName(label)}</bdi>
      </div>
      <p class="quiet">
        {agent} · <Time at={at} />
      </p>
      <p class="quiet">{translateFor(agent, reason)}</p>
      <pre class="waiting-message">{comments.map(({ text }) => text.trim()).join("\n")}</pre>
      <div class="tool-group">
        <Button onClick={() => void waitingComments.copy(message)}>{t("Copy")}</Button>
        <Button onClick={() => waitingComments.send(id)}>{t("Put into the prompt")}</Button>
        <button
          type="button"
          class={isAsking.value ? "button button-danger" : "button"}
          onClick={() => {
            if (isAsking.value) waitingComments.discard(id);
            isAsking.value = !isAsking.value;
          }}
        >
          {t(isAsking.value ? "Discard for good" : "Discard")}
        </button>
      </div>
    </li>
  );
}
