import { useEffect } from "preact/hooks";
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
  const { t, connection, announcer } = useReview();
  if (connection.state.value === "locked") return <LockedOut />;
  return (
    <div class="app">
      <a class="skip-link" href="#main">
        {t("Skip to the text")}
      </a>
      <TopBar />
      <ConnectionBanner />
      <Columns />
      <Notices />
      <ShortcutSheet />
      <div class="visually-hidden" role="status" aria-live="polite">
        {announcer.text.value}
      </div>
    </div>
  );
}

/** The text, and what stands next to it or lies over it. */
function Columns() {
  const { t, preferences, tabs } = useReview();
  const { isSidebarOpen, isPanelOpen, overlay, overlays } = preferences;
  const open = overlays.value.find((area) => area === overlay.value);
  // What was looked for has been found.
  useEffect(() => {
    overlay.value = undefined;
  }, [overlay, tabs.active.value?.id, tabs.focusWanted.value]);
  useEffect(() => {
    const element = open && document.querySelector<HTMLElement>(".overlay");
    if (element && !element.contains(document.activeElement)) element.focus();
  }, [open]);
  const close = () => {
    overlay.value = undefined;
  };
  return (
    <div class="columns">
      {isSidebarOpen.value && <Sidebar isOverlay={open === "sidebar"} />}
      <main
        id="main"
        class="main"
        tabIndex={-1}
        data-area
        aria-label={t("Files and proposals")}
        inert={Boolean(open)}
      >
        <TabBar />
        <TabPanels />
      </main>
      {open && (
        <button type="button" class="backdrop" aria-label={t("Close")} tabIndex={-1} onClick={close} />
      )}
      {isPanelOpen.value && <SidePanel isOverlay={open === "panel"} />}
    </div>
  );
}
