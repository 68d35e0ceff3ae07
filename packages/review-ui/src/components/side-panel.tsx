import { JournalList } from "./journal-list.tsx";
import { SessionList } from "./session-list.tsx";
import { ToldContext } from "./told-context.tsx";

/** Who is connected, what they know, what has been decided. */
export function SidePanel() {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: F6 leads here, and its content scrolls
    <aside class="side-panel" aria-label="Companion" tabIndex={0} data-area>
      <SessionList />
      <ToldContext />
      <JournalList />
    </aside>
  );
}
