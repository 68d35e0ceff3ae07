import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { outcomes, rewriteTroubles } from "../../../companion/src/core/sentences.ts";
import type { Sentence, Translate } from "../language/language.ts";
import {
  type Comment,
  explainError,
  type FileText,
  type HistoryEntry,
  type HistoryTexts,
} from "../model/api.ts";
import { assign } from "../model/preferences.ts";
import { isRepeatedClick } from "../model/user-focus.ts";
import { useReview } from "../review-context.ts";
import { Button } from "./button.tsx";
import { Comparison, TextActions } from "./comparison.tsx";
import { Strip } from "./diff-strips.tsx";
import { Badge, HistoryRow, LineCounts, PanelSection, PathLabel, TextTitle, Time } from "./labels.tsx";
import { UndoTurn } from "./undo-turn.tsx";
import { FilterField } from "./waiting-list.tsx";

/** A decided change: what was proposed, the user's version, and what is on disk now. */
export function HistoryView({ id }: { readonly id: string }) {
  const { t, translate, api, frontend } = useReview();
  const texts = useSignal<HistoryTexts | undefined>(undefined);
  const trouble = useSignal<string | undefined>(undefined);
  const chosen = useSignal<Sentence | undefined>(undefined);
  const entry = frontend.history.value.find((one) => one.id === id);
  const read = async (message?: string) => {
    trouble.value = message;
    try {
      texts.value = await api.history(id);
    } catch (error) {
      trouble.value = explainError(error);
    }
  };
  useEffect(() => void read(), [id, entry?.fileResult, entry?.later]);
  if (!entry) return <Strip level="info">{t("This change is not in the history any more.")}</Strip>;
  const views = texts.value ? viewsOf(entry, texts.value) : [];
  const view = views.find(({ title }) => title === chosen.value) ?? views[0];
  return (
    <>
      <div class="diff-head">
        <TextTitle who={entry.agent} file={entry}>
          <LineCounts {...entry} />
          <Badge>{describeOutcome(entry, t)}</Badge>
        </TextTitle>
        <div class="diff-tools">
          <fieldset class="tool-group choice" aria-label={t("What to show")}>
            {views.map(({ title }) => (
              <Button key={title} aria-pressed={title === view?.title} onClick={() => assign(chosen, title)}>
                {t(title)}
              </Button>
            ))}
          </fieldset>
          {entry.turn !== undefined && <UndoTurn turn={entry.turn} />}
          {view && (
            <div class="tool-group">
              <TextActions text={view.after} label={entry.label} />
              {view.writes && texts.value && (
                <WriteButton
                  kind={view.writes}
                  entry={entry}
                  onDisk={texts.value.onDisk}
                  onDone={(message) => void read(message)}
                />
              )}
            </div>
          )}
        </div>
      </div>
      {trouble.value !== undefined && <Strip level="warning">{translate(trouble.value)}</Strip>}
      {texts.value && <Impossible texts={texts.value} />}
      {texts.value?.comments && <SentComments comments={texts.value.comments} />}
      {view && <Strip level="info">{t(view.explanation)}</Strip>}
      {view && <Comparison before={view.before} after={view.after} label={entry.label} />}
    </>
  );
}

/** What was sent with the decision. */
function SentComments({ comments }: { readonly comments: readonly Comment[] }) {
  const { t } = useReview();
  return (
    <Strip level="info">
      {comments.map(({ startLine, endLine, text }, index) => (
        <span key={index} class="sent-comment">
          <strong>
            {startLine === endLine
              ? t("Comment on line $1", startLine)
              : t("Comment on lines $1–$2", startLine, endLine)}
          </strong>{" "}
          {text.trim()}
        </span>
      ))}
    </Strip>
  );
}

/** Why nothing more can be done with a change, unless something can. */
function Impossible({ texts: { undo, reapply } }: { readonly texts: HistoryTexts }) {
  const { t } = useReview();
  if (undo?.kind === "change" || reapply.kind === "change") return null;
  if (undo?.kind === "impossible") {
    return (
      <Strip level="info">
        {t("This change cannot be undone here.")} {t(rewriteTroubles[undo.reason])}
      </Strip>
    );
  }
  if (undo || reapply.kind !== "impossible") return null;
  return (
    <Strip level="info">
      {t("This change cannot be accepted here.")} {t(rewriteTroubles[reapply.reason])}
    </Strip>
  );
}

interface WriteButtonProps {
  readonly kind: keyof typeof writings;
  readonly entry: HistoryEntry;
  /** As it is shown. */
  readonly onDisk: FileText;
  /** Called with a sentence when the file was not written. */
  readonly onDone: (trouble?: string) => void;
}

const writings = {
  undo: { label: "Undo this change", done: "The change of $1 is undone." },
  reapply: { label: "Accept it after all", done: "$1 contains the change now." },
  reapplyMine: { label: "Accept my version", done: "$1 contains your version now." },
} as const satisfies Record<string, Record<string, Sentence>>;

/** Writes what the view shows. */
function WriteButton({ kind, entry: { id, label, filePath }, onDisk, onDone }: WriteButtonProps) {
  const { t, fileRequests, toasts, references } = useReview();
  const run = async () => {
    try {
      await fileRequests.write(kind === "undo" ? kind : "reapply", id, onDisk);
      // Its agent knows nothing of it.
      const isHeard = kind !== "undo" && references.isHeard.value;
      const action = isHeard && { label: t("Send to agent"), run: () => references.send(filePath) };
      toasts.show({ level: "info", text: t(writings[kind].done, label), ...(action && { action }) });
      onDone();
    } catch (error) {
      onDone(explainError(error));
    }
  };
  return (
    <Button
      kind="primary"
      title={t("Writes the file as it is shown")}
      onClick={(event) => {
        if (!isRepeatedClick(event)) void run();
      }}
    >
      {t(writings[kind].label)}
    </Button>
  );
}

interface HistoryComparison {
  readonly title: Sentence;
  readonly explanation: Sentence;
  readonly before: string;
  readonly after: string;
  /** It can be written. */
  readonly writes?: WriteButtonProps["kind"];
}

function viewsOf({ outcome }: HistoryEntry, texts: HistoryTexts): readonly HistoryComparison[] {
  const { proposed, accepted = proposed, edited = accepted, undo, reapply } = texts;
  const [before, onDisk] = [texts.before ?? "", textOf(texts.onDisk)];
  const isAccepted = outcome === "accepted";
  const views: HistoryComparison[] = [];
  const add = (
    title: Sentence,
    from: string,
    to: string,
    explanation: Sentence,
    writes?: WriteButtonProps["kind"],
  ) => views.push({ title, explanation, before: from, after: to, ...(writes && { writes }) });
  add("Proposed", before, proposed, "The file as it was is marked −, the proposal +.");
  if (edited !== proposed) add("Your version", proposed, edited, "The proposal is marked −, your version +.");
  if (isAccepted)
    add("On disk now", accepted, onDisk, "What was accepted is marked −, what is on disk now +.");
  else add("On disk now", before, onDisk, "The file as it was is marked −, what is on disk now +.");
  if (undo?.kind === "change") {
    const explanation =
      undo.text === null
        ? "The change made this file: undoing it deletes the file."
        : "What is on disk now is marked −, what undoing writes +. What has changed elsewhere stays.";
    add("If undone", onDisk, undo.text ?? "", explanation, "undo");
  }
  if (reapply.kind === "change") {
    const explanation =
      "What is on disk now is marked −, the file with the change +. What has changed elsewhere stays.";
    add(
      "If accepted",
      onDisk,
      reapply.text ?? "",
      explanation,
      edited === proposed ? "reapply" : "reapplyMine",
    );
  }
  return views;
}

function textOf(file: FileText): string {
  return file.kind === "text" ? file.text : "";
}

/** From so many on, the history has a field that searches it. */
const manyEntries = 6;

/** The decided and closed proposals with their outcomes. A click opens one. */
export function HistoryList() {
  const { t, frontend } = useReview();
  const search = useSignal("");
  const entries = frontend.history.value;
  const wanted = search.value.trim().toLowerCase();
  const found = entries.filter((entry) =>
    `${entry.label} ${entry.agent} ${describeOutcome(entry, t)}`.toLowerCase().includes(wanted),
  );
  return (
    <PanelSection id="history-title" title={t("History")}>
      <FilterField
        isUseful={entries.length >= manyEntries}
        text={search}
        placeholder={t("Search by file, agent or outcome")}
        label={t("Search the history")}
      />
      {entries.length === 0 && <p class="empty-note">{t("Decisions will be listed here.")}</p>}
      {entries.length > 0 && found.length === 0 && <p class="empty-note">{t("No decision fits.")}</p>}
      <ol class="history">
        {found.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
    </PanelSection>
  );
}

const results = {
  written: "written",
  "not-written": "not written to the file",
  overwritten: "overwritten",
} as const;

const laters = { undone: "undone", reapplied: "accepted after all" } as const;

/** The outcome of a change, and whether its file was written. */
function describeOutcome({ code, agent, fileResult, later }: HistoryEntry, t: Translate): string {
  const news = [fileResult && t(results[fileResult]), later && t(laters[later])];
  return [t(outcomes[code], agent), ...news].filter(Boolean).join(", ");
}

function Entry({ entry }: { readonly entry: HistoryEntry }) {
  const { t, tabs } = useReview();
  const { id, at, agent, filePath, label, outcome, fileResult } = entry;
  const isLost = fileResult === "not-written" || fileResult === "overwritten";
  return (
    <HistoryRow
      outcome={isLost ? "lost" : outcome}
      title={t("Read this change again")}
      onClick={() => tabs.open({ kind: "history", subject: id })}
    >
      <PathLabel path={label} title={filePath} />
      <span class="history-line quiet">
        {agent} · {describeOutcome(entry, t)} · <Time at={at} />
      </span>
      <LineCounts {...entry} />
    </HistoryRow>
  );
}
