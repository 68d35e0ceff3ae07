import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { toMessage } from "../../../companion/src/core/comments/message.ts";
import { describeOutcome, explainReason } from "../../../companion/src/core/sentences.ts";
import type { HistoryEntry } from "../model/api.ts";
import { useReview } from "../review-context.ts";
import { safeName } from "../text/paths.ts";
import { Button, DiscardButton } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { LineCounts, PanelSection, PathLabel, Time } from "./labels.tsx";
import { FilterField } from "./waiting-list.tsx";

/** What the companion stores: comments and edits that wait for the user, and decisions. */
export function StoredLists() {
  return (
    <>
      <CommentsList />
      <EditsList />
      <HistoryList />
    </>
  );
}

/** The comments that no agent has received: to be copied, put into a prompt, or discarded. */
function CommentsList() {
  const { t, translate, frontend, stored, waitingComments } = useReview();
  const list = frontend.comments.value;
  if (list.length === 0) return null;
  const countOf = (count: number) => (count === 1 ? t("1 comment") : t("$1 comments", count));
  return (
    <PanelSection id="waiting-comments-title" title={t("Comments that wait")} count={list.length}>
      <ul class="history">
        {list.map((entry) => (
          <Entry
            key={entry.id}
            entry={entry}
            state="lost"
            text={`${countOf(entry.comments.length)} · ${explainReason(entry, translate)}`}
          >
            <pre class="waiting-message">{entry.comments.map(({ text }) => text.trim()).join("\n")}</pre>
            <div class="tool-group">
              <Button onClick={() => void waitingComments.copy(toMessage(entry))}>{t("Copy")}</Button>
              <Button onClick={() => waitingComments.send(entry.id)}>{t("Put into the prompt")}</Button>
              <DiscardButton onDiscard={() => stored.discard("comments", entry.id)} />
            </div>
          </Entry>
        ))}
      </ul>
    </PanelSection>
  );
}

/** The user's edits that no file contains, of this companion and of earlier ones. */
function EditsList() {
  const { t, translate, recovered, stored, tabs } = useReview();
  const list = recovered.list.value;
  if (list.length === 0) return null;
  const discardAll = () => {
    for (const { id } of list) stored.discard("edits", id);
  };
  return (
    <PanelSection id="edits-title" title={t("Recovered edits")} count={list.length}>
      {list.length > 1 && (
        <div class="tool-group">
          <DiscardButton
            label={t("Discard all …")}
            certain={t("Discard all $1 for good", list.length)}
            onDiscard={discardAll}
          />
        </div>
      )}
      <ul class="history">
        {list.map((entry) => (
          <Entry
            key={entry.id}
            entry={entry}
            state="lost"
            text={explainReason(entry, translate)}
            title={t("Compare it with what is on disk")}
            onOpen={() => tabs.open({ kind: "recovered", subject: entry.id })}
          />
        ))}
      </ul>
    </PanelSection>
  );
}

/** The decided and closed proposals with their outcomes. */
function HistoryList() {
  const { t, translate, frontend, tabs } = useReview();
  const search = useSignal("");
  const entries = frontend.history.value;
  const wanted = search.value.trim().toLowerCase();
  const found = entries.filter((entry) =>
    `${entry.label} ${entry.agent} ${describeOutcome(entry, translate)}`.toLowerCase().includes(wanted),
  );
  return (
    <PanelSection id="history-title" title={t("History")}>
      <LastKeepOrRevert />
      <FilterField
        count={entries.length}
        text={search}
        placeholder={t("Search by file, agent or outcome")}
        label={t("Search the history")}
      />
      {entries.length === 0 && <p class="quiet">{t("Decisions will be listed here.")}</p>}
      {entries.length > 0 && found.length === 0 && <p class="quiet">{t("No decision fits.")}</p>}
      <ol class="history">
        {found.map((entry) => (
          <Entry
            key={entry.id}
            entry={entry}
            state={["not-written", "overwritten"].includes(entry.fileResult ?? "") ? "lost" : entry.outcome}
            text={describeOutcome(entry, translate)}
            title={t("Read this change again")}
            onOpen={() => tabs.open({ kind: "history", subject: entry.id })}
          />
        ))}
      </ol>
    </PanelSection>
  );
}

/** The last decision about what an agent wrote without asking, which can be undone. */
function LastKeepOrRevert() {
  const { t, written } = useReview();
  const [first, ...others] = written.decided.value;
  if (first === undefined) return null;
  const files = others.length === 0 ? first : t("$1 files", others.length + 1);
  return (
    <div class="section-head row">
      <span class="quiet" title={written.decided.value.map(safeName).join("\n")}>
        {t("Kept or reverted: $1", files)}
      </span>
      <Button onClick={() => void written.undo()}>{t("Undo")}</Button>
    </div>
  );
}

/** `lost`: no file holds it, or nobody has it. */
const icons = { accepted: "check", rejected: "close", closed: "close", lost: "warning" } as const;

interface EntryProps {
  readonly entry: Pick<HistoryEntry, "agent" | "filePath" | "label" | "at" | "added" | "removed">;
  readonly state: keyof typeof icons;
  /** Why it is in the list, or the outcome. */
  readonly text: string;
  /** What a click does. */
  readonly title?: string;
  readonly onOpen?: () => void;
  readonly children?: ComponentChildren;
}

/** One of a list. */
function Entry({ entry, state, text, title, onOpen, children }: EntryProps) {
  const about = (
    <>
      <span class={`outcome outcome-${state}`} aria-hidden="true">
        <Icon name={icons[state]} />
      </span>
      <PathLabel path={entry.label} title={entry.filePath} />
      <span class="history-line quiet small">
        {entry.agent} · <Time at={entry.at} /> · {text}
      </span>
      <LineCounts added={entry.added} removed={entry.removed} />
    </>
  );
  return (
    <li>
      {onOpen ? (
        <button type="button" class="history-entry item" title={title} onClick={onOpen}>
          {about}
        </button>
      ) : (
        <div class="history-entry">{about}</div>
      )}
      {children}
    </li>
  );
}
