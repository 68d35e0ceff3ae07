import { useReview } from "../review-context.ts";
import { ConnectionBanner } from "./connection-banner.tsx";
import { LockedOut } from "./locked-out.tsx";
import { Notices } from "./notices.tsx";
import { ShortcutSheet } from "./shortcut-sheet.tsx";
import { SidePanel } from "./side-panel.tsx";
import { Sidebar } from "./sidebar.tsx";
import { TabBar } from "./tab-bar.tsx";
import { TabPanels } from "./tab-panels.tsx";
import { TopBar } from "./top-bar.tsx";

/** The whole page. */
export function App() {
  const { connection, preferences, announcer } = useReview();
  if (connection.state.value === "locked") return <LockedOut />;
  const { isSidebarOpen, isPanelOpen } = preferences;
  return (
    <div class="app">
      <a class="skip-link" href="#main">
        Skip to the text
      </a>
      <TopBar />
      <ConnectionBanner />
      <div class="columns">
        {isSidebarOpen.value && <Sidebar />}
        <main id="main" class="main" tabIndex={-1} data-area aria-label="Files and proposals">
          <TabBar />
          <TabPanels />
        </main>
        {isPanelOpen.value && <SidePanel />}
      </div>
      <Notices />
      <ShortcutSheet />
      <div class="visually-hidden" role="status" aria-live="polite">
        {announcer.text.value}
      </div>
    </div>
  );
}
