import { useSignal } from "@preact/signals";
import { FileFilter } from "./file-filter.tsx";
import { FileTree } from "./file-tree.tsx";
import { WaitingList } from "./waiting-list.tsx";

/** What waits, and the files. */
export function Sidebar() {
  const filter = useSignal("");
  return (
    <nav class="sidebar" aria-label="Waiting proposals and files">
      <WaitingList />
      <FileFilter text={filter} />
      {filter.value === "" && <FileTree />}
    </nav>
  );
}
