import type { FolderRow } from "../model/folder-rows.ts";
import { useReview } from "../review-context.ts";
import { safeName } from "../text/safe-name.ts";
import { Icon } from "./icon.tsx";

interface FileTreeRowProps {
  readonly row: FolderRow;
  readonly index: number;
  /** Pixels from the top of the tree. */
  readonly top: number;
  readonly isCurrent: boolean;
  /** Its file is the one in front. */
  readonly isShown: boolean;
  readonly onActivate: (row: FolderRow) => void;
}

export function FileTreeRow({ row, index, top, isCurrent, isShown, onActivate }: FileTreeRowProps) {
  const { t } = useReview();
  const { entry, level, position, siblings, isOpen, trouble } = row;
  const isFolder = entry.kind === "folder";
  const classes = [
    "tree-row",
    entry.ignored && "tree-ignored",
    isCurrent && "tree-current",
    isShown && "tree-shown",
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
      aria-selected={isShown}
      {...(isFolder ? { "aria-expanded": isOpen } : {})}
      style={{ top: `${top}px`, paddingLeft: `${(level - 1) * 16 + 8}px` }}
      title={
        trouble ?? (entry.ignored ? t("$1 (ignored by git)", safeName(entry.path)) : safeName(entry.path))
      }
      onClick={() => onActivate(row)}
    >
      <span class={`tree-twist${isOpen ? " tree-open" : ""}`}>{isFolder && <Icon name="chevron" />}</span>
      <Icon name={isFolder ? "folder" : "file"} />
      <bdi class="tree-name">{entry.name}</bdi>
      {trouble && <Icon name="warning" />}
    </div>
  );
}
