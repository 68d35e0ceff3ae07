import { useComputed, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { FolderRow, FolderRows } from "../model/folder-rows.ts";
import { latinKey } from "../model/key-name.ts";
import { useReview } from "../review-context.ts";
import { safeName } from "../text/paths.ts";
import { Icon } from "./icon.tsx";
import { CutText } from "./labels.tsx";

/** Pixels. */
const rowHeight = 26;

/** The folders. It reads only unfolded folders, draws only visible rows, and reveals the file of the active tab. */
export function FileTree() {
  const { t, frontend, folders: tree, tabs, connection, references } = useReview();
  const cursor = useSignal<string | undefined>(undefined);
  const marked = useSignal<ReadonlySet<string>>(new Set());
  const list = useRef<HTMLDivElement>(null);
  const rows = tree.rows.value;
  const current = useComputed(() => {
    const index = tree.rows.value.findIndex(({ entry }) => entry.path === cursor.value);
    return Math.max(0, index);
  });
  const [from, to] = useWindow(list, rows.length, rowHeight);
  useRefresh(tree, [frontend.roots.value, connection.state.value, frontend.history.value[0]?.id]);

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
  const isHeard = references.isHeard.value;
  const mark = ({ entry }: FolderRow, isMarked = !marked.value.has(entry.path)) => {
    const others = [...marked.value].filter((path) => path !== entry.path);
    marked.value = new Set(isMarked ? [...others, entry.path] : others);
  };
  const send = ({ entry: { path } }: FolderRow) => {
    if (!isHeard) return;
    // A row that is not marked is sent alone.
    references.send(...(marked.value.has(path) ? marked.value : [path]));
    marked.value = new Set();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (treeKey(event, rows, current.value, { moveTo, activate, send, mark })) event.preventDefault();
  };
  const active = tabs.active.value;
  const proposal = frontend.proposals.value.find(
    ({ id }) => active?.kind === "proposal" && id === active.subject,
  );
  const activePath = active?.kind === "file" ? active.subject : proposal?.filePath;
  const isRead = rows.length > 0;
  useEffect(() => {
    if (activePath === undefined || !isRead) return;
    void tree.reveal(activePath).then(() => {
      const index = tree.rows.value.findIndex(({ entry }) => entry.path === activePath);
      if (index < 0) return; // outside of the folders, or not created yet
      cursor.value = activePath;
      // The unfolded rows must be drawn first.
      requestAnimationFrame(() => bringIntoView(list.current, index));
    });
  }, [activePath, isRead]);
  const visible = rows.slice(from, to);
  const isCurrentDrawn = current.value >= from && current.value < to;
  return (
    <section class="tree-section" aria-labelledby="tree-title">
      <h2 class="section-title" id="tree-title">
        {t("Files")}
      </h2>
      <div
        ref={list}
        id="file-tree"
        class="tree"
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
          {visible.map((row, offset) => (
            <FileTreeRow
              key={row.entry.path}
              row={row}
              index={from + offset}
              top={(from + offset) * rowHeight}
              isCurrent={from + offset === current.value}
              isShown={row.entry.path === activePath}
              isMarked={marked.value.has(row.entry.path)}
              onActivate={(row) => activate(row)}
              onMark={mark}
              {...(isHeard && { onSend: send })}
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

function useRefresh(tree: FolderRows, causes: readonly unknown[]): void {
  useEffect(() => {
    void tree.refresh();
  }, causes);
  useEffect(() => {
    const onFocus = () => void tree.refresh();
    window.addEventListener("focus", onFocus);
    return () => window.removeEventListener("focus", onFocus);
  }, [tree]);
}

interface FileTreeRowProps {
  readonly row: FolderRow;
  readonly index: number;
  /** Pixels from the top of the tree. */
  readonly top: number;
  readonly isCurrent: boolean;
  /** It is the file of the active tab. */
  readonly isShown: boolean;
  /** It is sent to an agent together with the other marked ones. */
  readonly isMarked: boolean;
  readonly onActivate: (row: FolderRow) => void;
  readonly onMark: (row: FolderRow) => void;
  /** Puts a reference into the prompt of an agent, where one is connected. */
  readonly onSend?: (row: FolderRow) => void;
}

function FileTreeRow(props: FileTreeRowProps) {
  const { row, index, top, isCurrent, isShown, isMarked, onActivate, onMark, onSend } = props;
  const { t } = useReview();
  const { entry, name, level, position, siblings, isOpen, trouble } = row;
  const isFolder = entry.kind === "folder";
  const classes = [
    "tree-row",
    entry.ignored && "tree-ignored",
    isCurrent && "tree-current",
    isShown && "tree-shown",
    isMarked && "tree-marked",
  ];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the focus and takes the keys
    // biome-ignore lint/a11y/useFocusableInteractive: likewise, it points here by aria-activedescendant
    <div
      id={`row-${index}`}
      class={classes.filter(Boolean).join(" ")}
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-selected={isMarked}
      {...(isShown ? { "aria-current": true } : {})}
      {...(isFolder ? { "aria-expanded": isOpen } : {})}
      style={{ top: `${top}px`, paddingLeft: `${(level - 1) * 16 + 8}px` }}
      title={
        trouble ?? (entry.ignored ? t("$1 (ignored by git)", safeName(entry.path)) : safeName(entry.path))
      }
      onClick={({ ctrlKey, metaKey }) => (ctrlKey || metaKey ? onMark(row) : onActivate(row))}
    >
      <span class={`tree-twist${isOpen ? " tree-open" : ""}`}>{isFolder && <Icon name="chevron" />}</span>
      <Icon name={isFolder ? "folder" : "file"} />
      <span class="tree-name">
        <CutText text={name} />
      </span>
      {trouble && <Icon name="warning" />}
      {onSend && <TreeSendButton onClick={() => onSend(row)} />}
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
    <button
      type="button"
      class="icon-button tree-send"
      title={t("Send to agent")}
      aria-hidden="true"
      tabIndex={-1}
      onClick={send}
    >
      <Icon name="send" />
    </button>
  );
}

export interface TreeMoves {
  moveTo(index: number): void;
  /** @param enter moves the focus to the text of a file */
  activate(row: FolderRow, enter?: boolean): void;
  /** Puts a reference to it, and to all that are marked with it, into the prompt of an agent. */
  send(row: FolderRow): void;
  /** Marks it to be sent with others, or not any more. */
  mark(row: FolderRow, isMarked?: boolean): void;
}

/**
 * Handles the keys of a tree, as in the ARIA Authoring Practices.
 * @returns whether the key was handled
 */
function treeKey(
  event: KeyboardEvent,
  rows: readonly FolderRow[],
  current: number,
  { moveTo, activate, send, mark }: TreeMoves,
): boolean {
  const row = rows[current];
  if (!row || event.ctrlKey || event.metaKey || event.altKey) return false;
  const { entry, isOpen, level } = row;
  const isFolder = entry.kind === "folder";
  const key = latinKey(event);
  switch (key) {
    case "ArrowDown":
    case "ArrowUp": {
      const next = current + (key === "ArrowDown" ? 1 : -1);
      if (event.shiftKey) for (const one of [row, rows[next]]) if (one) mark(one, true);
      moveTo(next);
      return true;
    }
    case "Home":
      moveTo(0);
      return true;
    case "End":
      moveTo(rows.length - 1);
      return true;
    case "ArrowRight":
      if (isFolder && !isOpen) activate(row);
      else if (isFolder) moveTo(current + 1);
      return true;
    case "ArrowLeft":
      if (isFolder && isOpen) activate(row);
      else moveTo(rows.findLastIndex((other, index) => index < current && other.level < level));
      return true;
    case "Enter":
    case " ":
      activate(row, key === "Enter");
      return true;
    case "v":
      mark(row);
      return true;
    case "s":
      send(row);
      return true;
    default:
      return false;
  }
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
