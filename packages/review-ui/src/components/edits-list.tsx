import type { RecoveredEdits } from "../model/recovered-edits.ts";
import { useReview } from "../review-context.ts";
import { safeName } from "../text/safe-name.ts";
import { Icon } from "./icon.tsx";
import { Time } from "./time.tsx";

/** What the user has typed and no file holds, from this companion and from earlier ones. */
export function EditsList() {
  const { t, recovered } = useReview();
  const list = recovered.list.value;
  if (list.length === 0) return null;
  return (
    <section class="panel-section" aria-labelledby="edits-title">
      <h2 class="section-title" id="edits-title">
        {t("Recovered edits")} <span class="badge badge-accent">{list.length}</span>
      </h2>
      <ul class="history">
        {list.map((edits) => (
          <Entry key={edits.id} edits={edits} />
        ))}
      </ul>
    </section>
  );
}

function Entry({ edits }: { readonly edits: RecoveredEdits }) {
  const { t, tellOf, tabs, frontend } = useReview();
  const { id, at, agent, filePath, label, reason } = edits;
  return (
    <li>
      <button
        type="button"
        class="history-entry"
        title={`${safeName(filePath)}\n${t("Compare it with what is on disk")}`}
        onClick={() => tabs.open({ kind: "recovered", editsId: id })}
      >
        <span class="outcome outcome-lost" aria-hidden="true">
          <Icon name="warning" />
        </span>
        <span class="history-name">
          {t("Your version of $1 is saved", frontend.paths.value.baseName(label))}
        </span>
        <span class="history-line quiet">
          {[agent, frontend.paths.value.folderPart(label)].filter(Boolean).join(" · ")} · <Time at={at} />
        </span>
        <span class="history-line quiet">{tellOf(agent, reason)}</span>
      </button>
    </li>
  );
}
