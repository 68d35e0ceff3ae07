import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { FolderRow, FolderRows } from "../model/folder-rows.ts";
import { useReview } from "../review-context.ts";
import { treeKey } from "./file-tree-keys.ts";
import { FileTreeRow } from "./file-tree-row.tsx";
import { IconButton } from "./icon-button.tsx";
import { useWindow } from "./use-window.ts";

/** Pixels. */
const rowHeight = 26;

/**
 * The folders, lazily: only what is unfolded is read, and only what is in sight is drawn.
 * It follows the file in front.
 */
export function FileTree({ tree }: { readonly tree: FolderRows }) {
  const { t, frontend, tabs, connection } = useReview();
  const cursor = useSignal<string | undefined>(undefined);
  const list = useRef<HTMLDivElement>(null);
  const rows = tree.rows.value;
  const current = useComputed(() => {
    const index = tree.rows.value.findIndex(({ entry }) => entry.path === cursor.value);
    return Math.max(0, index);
  });
  const [from, to] = useWindow(list, rows.length, rowHeight);
  useRefresh(tree.refresh, [frontend.roots.value, connection.state.value, frontend.history.value[0]?.id]);

  const moveTo = (index: number) => {
    const row = rows[index];
    if (!row) return;
    cursor.value = row.entry.path;
    bringIntoView(list.current, index);
  };
  const activate = ({ entry, isOpen }: FolderRow, enter = false) => {
    cursor.value = entry.path;
    if (entry.kind === "file") tabs.open({ kind: "file", path: entry.path }, { focus: enter });
    else if (isOpen) tree.close(entry.path);
    else void tree.open(entry.path);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (treeKey(event, rows, current.value, { moveTo, activate })) event.preventDefault();
  };
  const active = tabs.active.value;
  const proposal = frontend.proposals.value.find(
    ({ id }) => active?.kind === "proposal" && id === active.proposalId,
  );
  const activePath = active?.kind === "file" ? active.path : proposal?.filePath;
  const isRead = rows.length > 0;
  useEffect(() => {
    if (activePath === undefined || !isRead) return;
    void tree.reveal(activePath).then(() => {
      const index = tree.rows.value.findIndex(({ entry }) => entry.path === activePath);
      if (index < 0) return; // outside of the folders, or not there yet
      cursor.value = activePath;
      // The rows that were unfolded for it are drawn first.
      requestAnimationFrame(() => bringIntoView(list.current, index));
    });
  }, [activePath, isRead]);
  const inSight = rows.slice(from, to);
  const isCurrentDrawn = current.value >= from && current.value < to;
  return (
    <section class="tree-section" aria-labelledby="tree-title">
      <div class="section-head">
        <h2 class="section-title" id="tree-title">
          {t("Files")}
        </h2>
        <IconButton icon="refresh" label={t("Refresh the files")} onClick={() => void tree.refresh()} />
      </div>
      <div
        ref={list}
        id="file-tree"
        class="tree"
        role="tree"
        tabIndex={0}
        data-area
        aria-labelledby="tree-title"
        aria-activedescendant={isCurrentDrawn ? `row-${current.value}` : undefined}
        onKeyDown={onKeyDown}
      >
        <div class="tree-all" role="presentation" style={{ height: `${rows.length * rowHeight}px` }}>
          {inSight.map((row, offset) => (
            <FileTreeRow
              key={row.entry.path}
              row={row}
              index={from + offset}
              top={(from + offset) * rowHeight}
              isCurrent={from + offset === current.value}
              isShown={row.entry.path === activePath}
              onActivate={(row) => activate(row)}
            />
          ))}
        </div>
      </div>
    </section>
  );
}

function bringIntoView(list: HTMLElement | null, index: number): void {
  if (!list) return;
  const top = index * rowHeight;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + rowHeight > list.scrollTop + list.clientHeight)
    list.scrollTop = top + rowHeight - list.clientHeight;
}

function useRefresh(refresh: () => Promise<void>, causes: readonly unknown[]): void {
  useEffect(() => {
    void refresh();
  }, causes);
  useEffect(() => {
    const onFocus = () => void refresh();
    window.addEventListener("focus", onFocus);
    return () => window.removeEventListener("focus", onFocus);
  }, [refresh]);
}
