import { useComputed, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { FolderRow, FolderRows } from "../model/folder-rows.ts";
import { useReview } from "../review-context.ts";
import { safeName } from "../text/paths.ts";
import { Icon, IconButton } from "./icon.tsx";
import { CutText } from "./labels.tsx";
import { treeKey } from "./tree-keys.ts";

/** Pixels. */
const rowHeight = 26;

/** The folders. It reads only unfolded folders, draws only visible rows, and reveals the file of the active tab. */
export function FileTree() {
  const { t, frontend, folders: tree, tabs, connection } = useReview();
  const cursor = useSignal<string | undefined>(undefined);
  const marks = useMarks();
  const list = useRef<HTMLDivElement>(null);
  const rows = tree.rows.value;
  const current = useComputed(() => {
    const index = tree.rows.value.findIndex(({ entry }) => entry.path === cursor.value);
    return Math.max(0, index);
  });
  const [from, to] = useWindow(list, rows.length, rowHeight);
  useEffect(() => {
    void tree.refresh();
  }, [frontend.roots.value, connection.state.value, frontend.history.value[0]?.id]);

  const moveTo = (index: number) => {
    const row = rows[index];
    if (!row) return;
    cursor.value = row.entry.path;
    bringIntoView(list.current, index);
  };
  const activate = ({ entry, isOpen }: FolderRow, enter = false) => {
    cursor.value = entry.path;
    if (entry.kind === "file") tabs.open({ kind: "file", subject: entry.path }, { focus: enter });
    else if (isOpen) tree.close(entry.path);
    else void tree.open(entry.path);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (treeKey(event, rows, current.value, { moveTo, activate, ...marks })) event.preventDefault();
  };
  const active = tabs.active.value;
  const proposal = frontend.proposals.value.find(
    ({ id }) => active?.kind === "proposal" && id === active.subject,
  );
  const activePath = active?.kind === "file" ? active.subject : proposal?.filePath;
  useRevealed(tree, activePath, (index) => {
    cursor.value = activePath;
    // The unfolded rows must be drawn first.
    requestAnimationFrame(() => bringIntoView(list.current, index));
  });
  const isCurrentDrawn = current.value >= from && current.value < to;
  return (
    <section class="tree-section column grow" aria-labelledby="tree-title">
      <h2 class="section-title" id="tree-title">
        {t("Files")}
      </h2>
      <div
        ref={list}
        id="file-tree"
        class="tree grow"
        role="tree"
        tabIndex={0}
        data-area
        aria-labelledby="tree-title"
        aria-multiselectable="true"
        aria-keyshortcuts="s"
        aria-activedescendant={isCurrentDrawn ? `row-${current.value}` : undefined}
        onKeyDown={onKeyDown}
      >
        <div class="tree-all" role="presentation" style={{ height: `${rows.length * rowHeight}px` }}>
          {rows.slice(from, to).map((row, offset) => (
            <FileTreeRow
              key={row.entry.path}
              {...{ row, marks }}
              index={from + offset}
              isCurrent={from + offset === current.value}
              isShown={row.entry.path === activePath}
              onActivate={() => activate(row)}
            />
          ))}
        </div>
      </div>
    </section>
  );
}

/** The files and folders that are marked to be sent together, by their paths. */
function useMarks() {
  const { references } = useReview();
  const marked = useSignal<ReadonlySet<string>>(new Set());
  const isHeard = references.isHeard.value;
  return {
    isMarked: ({ entry: { path } }: FolderRow) => marked.value.has(path),
    /** Whether there is an agent to send to. */
    isHeard,
    mark({ entry: { path } }: FolderRow, isMarked = !marked.value.has(path)) {
      const others = [...marked.value].filter((other) => other !== path);
      marked.value = new Set(isMarked ? [...others, path] : others);
    },
    send({ entry: { path } }: FolderRow) {
      if (!isHeard) return;
      // A row that is not marked is sent alone.
      references.send(...(marked.value.has(path) ? marked.value : [path]));
      marked.value = new Set();
    },
  };
}

function bringIntoView(list: HTMLElement | null, index: number): void {
  if (!list) return;
  const top = index * rowHeight;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + rowHeight > list.scrollTop + list.clientHeight)
    list.scrollTop = top + rowHeight - list.clientHeight;
}

/** Unfolds the folders of a file. @param show gets its row; files outside of the folders have none */
function useRevealed(tree: FolderRows, path: string | undefined, show: (index: number) => void): void {
  const isRead = tree.rows.value.length > 0;
  useEffect(() => {
    if (path === undefined || !isRead) return;
    void tree.reveal(path).then(() => {
      const index = tree.rows.value.findIndex(({ entry }) => entry.path === path);
      if (index >= 0) show(index);
    });
  }, [path, isRead]);
}

interface FileTreeRowProps {
  readonly row: FolderRow;
  readonly index: number;
  readonly isCurrent: boolean;
  /** It is the file of the active tab. */
  readonly isShown: boolean;
  readonly marks: ReturnType<typeof useMarks>;
  readonly onActivate: () => void;
}

function FileTreeRow({ row, index, isCurrent, isShown, marks, onActivate }: FileTreeRowProps) {
  const { t } = useReview();
  const { entry, name, level, position, siblings, isOpen, trouble } = row;
  const isFolder = entry.kind === "folder";
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the focus and takes the keys
    // biome-ignore lint/a11y/useFocusableInteractive: likewise, it points here by aria-activedescendant
    <div
      id={`row-${index}`}
      class={`tree-row item row${entry.ignored ? " tree-ignored" : ""}${isCurrent ? " tree-current" : ""}`}
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-selected={marks.isMarked(row)}
      {...(isShown ? { "aria-current": true } : {})}
      {...(isFolder ? { "aria-expanded": isOpen } : {})}
      style={{ top: `${index * rowHeight}px`, paddingLeft: `${(level - 1) * 16 + 8}px` }}
      title={
        trouble ?? (entry.ignored ? t("$1 (ignored by git)", safeName(entry.path)) : safeName(entry.path))
      }
      onClick={({ ctrlKey, metaKey }) => (ctrlKey || metaKey ? marks.mark(row) : onActivate())}
    >
      <span class={`tree-twist${isOpen ? " tree-open" : ""}`}>{isFolder && <Icon name="chevron" />}</span>
      <Icon name={isFolder ? "folder" : "file"} />
      <span class="tree-name">
        <CutText text={name} />
      </span>
      {trouble && <Icon name="warning" />}
      {marks.isHeard && <TreeSendButton onClick={() => marks.send(row)} />}
    </div>
  );
}

/** For the mouse: with the keyboard it is a key of the tree, which screen readers announce. */
function TreeSendButton({ onClick }: { readonly onClick: () => void }) {
  const { t } = useReview();
  const send = (event: MouseEvent) => {
    event.stopPropagation();
    onClick();
  };
  return (
    <IconButton
      icon="send"
      label={t("Send to agent")}
      class="icon-button tree-send"
      aria-hidden="true"
      tabIndex={-1}
      onClick={send}
    />
  );
}

/** Rows drawn above and below the visible ones, so that fast scrolling shows no gap. */
const margin = 10;

/**
 * Finds the visible rows of a long list.
 * @param rowHeight pixels
 * @returns the first, and the one after the last
 */
function useWindow(
  list: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
): readonly [from: number, to: number] {
  const viewport = useSignal({ top: 0, height: 800 });
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const measure = () => {
      viewport.value = { top: element.scrollTop, height: element.clientHeight };
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    measure();
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [list]);
  const { top, height } = viewport.value;
  const from = Math.max(0, Math.floor(top / rowHeight) - margin);
  return [from, Math.min(count, Math.ceil((top + height) / rowHeight) + margin)];
}
