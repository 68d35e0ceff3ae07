import type { KeptEdits } from "../model/kept-edits.ts";
import { useReview } from "../review-context.ts";
import { IconButton } from "./icon-button.tsx";
import { KeptActions } from "./kept-actions.tsx";

/** What has just happened, in the corner; it never takes the focus. */
export function Notices() {
  const { toasts, kept } = useReview();
  if (toasts.list.value.length === 0 && kept.news.value.length === 0) return null;
  return (
    <section class="notices" aria-label="Notices">
      {kept.news.value.map((edits) => (
        <KeptCard key={edits.id} edits={edits} />
      ))}
      {toasts.list.value.map(({ id, level, text, action }) => (
        <div key={id} class={`toast toast-${level}`}>
          <p>{text}</p>
          {action && (
            <button
              type="button"
              class="button"
              onClick={() => {
                toasts.dismiss(id);
                action.run();
              }}
            >
              {action.label}
            </button>
          )}
          <IconButton icon="close" label="Dismiss" onClick={() => toasts.dismiss(id)} />
        </div>
      ))}
    </section>
  );
}

function KeptCard({ edits }: { readonly edits: KeptEdits }) {
  const { kept } = useReview();
  const { id, agent, label, reason } = edits;
  return (
    <div class="toast toast-kept" role="alert">
      <div class="toast-head">
        <strong>Your version of {label} is kept</strong>
        <IconButton icon="close" label="Later: it stays in the journal" onClick={() => kept.dismiss(id)} />
      </div>
      <p>
        {agent} went on without your edits ({reason}). Nothing of yours is lost: compare it with what is on
        disk, copy it, or let it go.
      </p>
      <KeptActions edits={edits} />
    </div>
  );
}
