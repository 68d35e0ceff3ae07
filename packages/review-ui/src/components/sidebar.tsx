import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { createFolderRows } from "../model/folder-rows.ts";
import { useReview } from "../review-context.ts";
import { FileFilter } from "./file-filter.tsx";
import { FileTree } from "./file-tree.tsx";
import { WaitingList } from "./waiting-list.tsx";

/** What waits, and the files. */
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
