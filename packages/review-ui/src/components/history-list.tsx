import type { Translate, Wording } from "../language/language.ts";
import type { HistoryEntry } from "../model/wire.ts";
import { useReview } from "../review-context.ts";
import { Icon } from "./icon.tsx";
import { LineCounts } from "./line-counts.tsx";
import { PathLabel } from "./path-label.tsx";
import { Time } from "./time.tsx";

/** The proposals that are decided or closed, and how; each opens again, to be read. */
export function HistoryList() {
  const { t, frontend } = useReview();
  const entries = frontend.history.value;
  return (
    <section class="panel-section" aria-labelledby="history-title">
      <h2 class="section-title" id="history-title">
        {t("History")}
      </h2>
      {entries.length === 0 && <p class="empty-note">{t("Decisions will be listed here.")}</p>}
      <ol class="history">
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
    </section>
  );
}

const results = {
  written: "written",
  "not-written": "not written to the file",
  overwritten: "overwritten",
} as const;

/** How a change ended, and what became of its file. */
export function describeOutcome(
  { text, agent, fileResult }: HistoryEntry,
  t: Translate,
  tellOf: Wording["tellOf"],
): string {
  const outcome = tellOf(agent, text);
  return fileResult ? `${outcome}, ${t(results[fileResult])}` : outcome;
}

const icons = { accepted: "check", rejected: "close", closed: "close" } as const;

function Entry({ entry }: { readonly entry: HistoryEntry }) {
  const { t, tellOf, tabs } = useReview();
  const { id, at, agent, filePath, label, added, removed, outcome, fileResult } = entry;
  const isLost = fileResult === "not-written" || fileResult === "overwritten";
  return (
    <li>
      <button
        type="button"
        class="history-entry"
        title={t("Read this change again")}
        onClick={() => tabs.open({ kind: "history", entryId: id })}
      >
        <span class={`outcome outcome-${isLost ? "lost" : outcome}`} aria-hidden="true">
          <Icon name={isLost ? "warning" : icons[outcome]} />
        </span>
        <PathLabel path={label} title={filePath} />
        <span class="history-line quiet">
          {agent} · {describeOutcome(entry, t, tellOf)} · <Time at={at} />
        </span>
        <LineCounts added={added} removed={removed} />
      </button>
    </li>
  );
}
