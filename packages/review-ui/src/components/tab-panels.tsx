import { useSignal } from "@preact/signals";
import type { Tab } from "../model/tabs.ts";
import { useReview } from "../review-context.ts";
import { EmptyState } from "./empty-state.tsx";
import { FileView } from "./file-view.tsx";
import { HistoryView } from "./history-view.tsx";
import { ProposalView } from "./proposal-view.tsx";
import { RecoveredView } from "./recovered-view.tsx";

/** What the tabs show. A tab is drawn when it is first looked at, and stays: its scroll place and undo with it. */
export function TabPanels() {
  const { tabs } = useReview();
  const seen = useSignal<ReadonlySet<string>>(new Set());
  const active = tabs.active.value;
  const list = tabs.list.value;
  if (active && !seen.peek().has(active.id)) seen.value = new Set([...seen.peek(), active.id]);
  if (list.length === 0) return <EmptyState />;
  return (
    <div class="panels">
      {list
        .filter(({ id }) => seen.value.has(id) || id === active?.id)
        .map((tab) => (
          <div
            key={tab.id}
            id={`panel-${tab.id}`}
            class="panel"
            role="tabpanel"
            aria-labelledby={`tab-${tab.id}`}
            hidden={tab.id !== active?.id}
          >
            <TabContent tab={tab} isActive={tab.id === active?.id} />
          </div>
        ))}
    </div>
  );
}

function TabContent({ tab, isActive }: { readonly tab: Tab; readonly isActive: boolean }) {
  if (tab.kind === "file") return <FileView path={tab.path} isActive={isActive} />;
  if (tab.kind === "recovered") return <RecoveredView id={tab.editsId} />;
  if (tab.kind === "history") return <HistoryView id={tab.entryId} />;
  return <ProposalView id={tab.proposalId} isActive={isActive} />;
}
