import type { JournalEntry } from "../model/wire.ts";
import { useReview } from "../review-context.ts";
import { Icon } from "./icon.tsx";
import { LineCounts } from "./line-counts.tsx";
import { PathLabel } from "./path-label.tsx";
import { Time } from "./time.tsx";

/** The proposals that are settled, and how. */
export function JournalList() {
  const { door, kept, tabs } = useReview();
  const entries = door.journal.value;
  const inPage = kept.list.value.filter(({ id }) => !entries.some((entry) => entry.id === id));
  const compare = (id: string) => tabs.open({ kind: "kept", keptId: id });
  return (
    <section class="panel-section" aria-labelledby="journal-title">
      <h2 class="section-title" id="journal-title">
        Journal
      </h2>
      {entries.length === 0 && inPage.length === 0 && (
        <p class="empty-note">Decisions will be listed here.</p>
      )}
      <ol class="journal">
        {inPage.map(({ id, agent, label, reason }) => (
          <li key={id} class="journal-entry">
            <span class="outcome outcome-closed" aria-hidden="true">
              <Icon name="close" />
            </span>
            <PathLabel path={label} />
            <span class="journal-line quiet">
              {agent} · {reason}
            </span>
            <KeptButton label={label} onClick={() => compare(id)} />
          </li>
        ))}
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} onCompare={compare} />
        ))}
      </ol>
    </section>
  );
}

const icons = { accepted: "check", rejected: "close", closed: "close" } as const;

function Entry({
  entry,
  onCompare,
}: {
  readonly entry: JournalEntry;
  readonly onCompare: (id: string) => void;
}) {
  const { id, at, agent, filePath, label, added, removed, outcome, text, hasUnsavedEdits } = entry;
  return (
    <li class="journal-entry">
      <span class={`outcome outcome-${outcome}`} aria-hidden="true">
        <Icon name={icons[outcome]} />
      </span>
      <PathLabel path={label} title={filePath} />
      <span class="journal-line quiet">
        {agent} · {text} · <Time at={at} />
      </span>
      <LineCounts added={added} removed={removed} />
      {hasUnsavedEdits && <KeptButton label={label} onClick={() => onCompare(id)} />}
    </li>
  );
}

function KeptButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  const { baseName } = useReview().door.paths.value;
  return (
    <button
      type="button"
      class="link-button journal-kept"
      title="Compare it with what is on disk"
      onClick={onClick}
    >
      Your version of {baseName(label)} is kept
    </button>
  );
}
