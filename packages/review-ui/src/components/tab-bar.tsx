import { useEffect, useRef } from "preact/hooks";
import type { Tab } from "../model/tabs.ts";
import { useReview } from "../review-context.ts";
import { safeName } from "../text/safe-name.ts";
import { Icon } from "./icon.tsx";

/** The open files and proposals. */
export function TabBar() {
  const { tabs, desk } = useReview();
  const list = useRef<HTMLDivElement>(null);
  const active = tabs.active.value;
  useEffect(() => {
    list.current
      ?.querySelector('[aria-selected="true"]')
      ?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [active?.id]);
  if (tabs.list.value.length === 0) return null;
  const onKeyDown = (event: KeyboardEvent) => {
    const step = ({ ArrowRight: 1, ArrowLeft: -1 } as const)[event.key];
    if (step !== undefined) tabs.step(step);
    else if (event.key === "Delete" && active) desk.dismiss(active);
    else return;
    event.preventDefault();
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus());
  };
  return (
    <div class="tab-strip">
      <div
        ref={list}
        class="tab-bar"
        role="tablist"
        aria-label="Open files and proposals"
        onKeyDown={onKeyDown}
      >
        {tabs.list.value.map((tab) => (
          <TabButton key={tab.id} tab={tab} isActive={tab.id === active?.id} />
        ))}
      </div>
    </div>
  );
}

function TabButton({ tab, isActive }: { readonly tab: Tab; readonly isActive: boolean }) {
  const { tabs, desk } = useReview();
  const { name, title, mark } = useTabText(tab);
  const closing = tab.kind === "proposal" ? `Reject the change of ${name}` : `Close ${name}`;
  return (
    <div class={`tab${isActive ? " tab-active" : ""}`} role="presentation">
      <button
        type="button"
        class="tab-button"
        role="tab"
        id={`tab-${tab.id}`}
        aria-selected={isActive}
        aria-controls={`panel-${tab.id}`}
        aria-keyshortcuts="Delete"
        tabIndex={isActive ? 0 : -1}
        title={title}
        onClick={() => tabs.activate(tab.id)}
        onAuxClick={(event) => {
          if (event.button === 1) desk.dismiss(tab);
        }}
      >
        {mark && <span class="tab-mark">{mark}</span>}
        <bdi>{name}</bdi>
      </button>
      {/* For the mouse: a list of tabs may hold nothing else, so the Delete key closes one. */}
      <span class="tab-close" title={closing} aria-hidden="true" onClick={() => desk.dismiss(tab)}>
        <Icon name="close" />
      </span>
    </div>
  );
}

interface TabText {
  readonly name: string;
  readonly title: string;
  /** Tells a proposal from a file. */
  readonly mark?: string;
}

function useTabText(tab: Tab): TabText {
  const { door, kept } = useReview();
  const { baseName } = door.paths.value;
  if (tab.kind === "file") return { name: baseName(tab.path), title: safeName(tab.path) };
  if (tab.kind === "kept") {
    const edits = kept.find(tab.keptId);
    return {
      name: baseName(edits?.label ?? ""),
      title: `Your version of ${edits?.label ?? "?"}`,
      mark: "kept",
    };
  }
  const proposal = door.proposals.value.find(({ id }) => id === tab.proposalId);
  return {
    name: baseName(proposal?.label ?? ""),
    title: `${proposal?.agent ?? ""} proposes a change of ${proposal?.label ?? ""}`,
    mark: "±",
  };
}
