import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { createFolderRows } from "../model/folder-rows.ts";
import { useReview } from "../review-context.ts";
import { FileFilter } from "./file-filter.tsx";
import { FileTree } from "./file-tree.tsx";
import { LineCounts, PathLabel } from "./labels.tsx";

/** The waiting proposals and the files. */
export function Sidebar({ isOverlay }: { readonly isOverlay: boolean }) {
  const { t, api } = useReview();
  const filter = useSignal("");
  const tree = useMemo(() => createFolderRows(api), [api]);
  return (
    <nav
      class={`sidebar${isOverlay ? " overlay" : ""}`}
      aria-label={t("Waiting proposals and files")}
      tabIndex={isOverlay ? -1 : undefined}
    >
      <WaitingList />
      <FileFilter text={filter} />
      {filter.value === "" && <FileTree tree={tree} />}
    </nav>
  );
}

/** The proposals that wait for a decision, oldest first. */
export function WaitingList() {
  const { t, frontend, controller, tabs } = useReview();
  const proposals = frontend.proposals.value;
  if (proposals.length === 0) return null;
  const active = tabs.active.value;
  return (
    <section class="waiting" aria-labelledby="waiting-title">
      <h2 class="section-title" id="waiting-title">
        {t("Waiting")} <span class="badge badge-accent">{proposals.length}</span>
      </h2>
      <ul>
        {proposals.map(({ id, agent, label, added, removed, edited }) => (
          <li key={id}>
            <button
              type="button"
              class="waiting-item"
              aria-current={active?.kind === "proposal" && active.proposalId === id ? "true" : undefined}
              onClick={() => controller.open(id)}
            >
              <PathLabel path={label} />
              <span class="waiting-line">
                <span class="quiet">{agent}</span>
                {edited && <span class="quiet">· {t("edited")}</span>}
                <LineCounts added={added} removed={removed} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
