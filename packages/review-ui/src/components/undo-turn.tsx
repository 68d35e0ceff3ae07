import { useSignal } from "@preact/signals";
import { explainError, type HistoryEntry } from "../model/api.ts";
import { assign } from "../model/preferences.ts";
import { useReview } from "../review-context.ts";
import { Button } from "./button.tsx";
import { LineCounts, PathLabel } from "./labels.tsx";
import { ModalDialog } from "./modal-dialog.tsx";

/** A button that undoes all accepted changes of a turn after a question, where there are several. */
export function UndoTurn({ turn }: { readonly turn: string }) {
  const { t, translate, frontend, stored, toasts } = useReview();
  const isAsking = useSignal(false);
  const entries = frontend.history.value.filter(
    (entry) => entry.turn === turn && entry.outcome === "accepted" && entry.later !== "undone",
  );
  if (entries.length < 2) return null;
  const title = t("Undo $1 changes", entries.length);
  const run = async () => {
    isAsking.value = false;
    try {
      await stored.undoTurn(turn);
      toasts.show({ level: "info", text: t("The changes of the turn are undone.") });
    } catch (error) {
      toasts.show({ level: "warning", text: translate(explainError(error)) });
    }
  };
  return (
    <>
      <Button onClick={() => assign(isAsking, true)}>{t("Undo the turn …")}</Button>
      <ModalDialog
        isOpen={isAsking.value}
        class="sheet many"
        labelledBy="undo-turn-title"
        onLeave={() => assign(isAsking, false)}
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void run();
          }}
        >
          <h2 id="undo-turn-title">{title}</h2>
          <ChangeList entries={entries} />
          <p>
            {t("What has changed elsewhere in these files stays. Files that a change has made are deleted.")}
          </p>
          <div class="many-buttons">
            <Button onClick={() => assign(isAsking, false)}>{t("Cancel")}</Button>
            <Button type="submit" kind="primary">
              {title}
            </Button>
          </div>
        </form>
      </ModalDialog>
    </>
  );
}

function ChangeList({ entries }: { readonly entries: readonly HistoryEntry[] }) {
  return (
    <ul class="many-list">
      {entries.map(({ id, agent, label, added, removed }) => (
        <li key={id}>
          <PathLabel path={label} title={`${agent}: ${label}`} />
          <LineCounts added={added} removed={removed} />
        </li>
      ))}
    </ul>
  );
}
