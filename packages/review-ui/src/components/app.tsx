import { useLayoutEffect } from "preact/hooks";
import { type Area, widthLimits } from "../model/preferences.ts";
import { useReview } from "../review-context.ts";
import { Button } from "./button.tsx";
import { Divider } from "./divider.tsx";
import { RichText } from "./labels.tsx";
import { AheadBanners, ManyDecisions } from "./many-decisions.tsx";
import { ConnectionBanner, Notices, RecoveredBanner } from "./notices.tsx";
import { ShortcutSheet } from "./shortcut-sheet.tsx";
import { SidePanel } from "./side-panel.tsx";
import { Sidebar } from "./sidebar.tsx";
import { TabBar, TabPanels } from "./tabs.tsx";
import { TopBar } from "./top-bar.tsx";

/** The whole page. */
export function App() {
  const { t, connection, announcer } = useReview();
  if (connection.state.value === "locked") return <LockedOut />;
  return (
    <div class="app column">
      <a class="skip-link" href="#main">
        {t("Skip to the text")}
      </a>
      <TopBar />
      <ConnectionBanner />
      <AheadBanners />
      <RecoveredBanner />
      <Columns />
      <Notices />
      <ShortcutSheet />
      <ManyDecisions />
      <div class="visually-hidden" role="status" aria-live="polite">
        {announcer.text.value}
      </div>
    </div>
  );
}

/** The main text between the two side areas. In a narrow window these are overlays. */
function Columns() {
  const { t, preferences, tabs } = useReview();
  const { isSidebarOpen, isPanelOpen, overlay, overlays } = preferences;
  const open = overlays.value.find((area) => area === overlay.value);
  // Opening a file or proposal closes the overlay, before its text gets the focus.
  useLayoutEffect(() => {
    overlay.value = undefined;
  }, [overlay, tabs.active.value?.id, tabs.focusWanted.value]);
  // Before the next key, which is meant for what is there then.
  useLayoutEffect(() => {
    const element = open && document.querySelector<HTMLElement>(".overlay");
    if (element && !element.contains(document.activeElement)) element.focus();
  }, [open]);
  const close = () => {
    overlay.value = undefined;
  };
  return (
    <div class="columns grow">
      {isSidebarOpen.value && <Sidebar isOverlay={open === "sidebar"} />}
      <main
        id="main"
        class="main column grow"
        tabIndex={-1}
        data-area
        aria-label={t("Files and proposals")}
        inert={Boolean(open)}
      >
        {isSidebarOpen.value && <AreaDivider area="sidebar" />}
        <TabBar />
        <TabPanels />
        {isPanelOpen.value && <AreaDivider area="panel" />}
      </main>
      {open && (
        <button type="button" class="backdrop" aria-label={t("Close")} tabIndex={-1} onClick={close} />
      )}
      {isPanelOpen.value && <SidePanel isOverlay={open === "panel"} />}
    </div>
  );
}

/** The line between an area and the text. An overlay has none. */
function AreaDivider({ area }: { readonly area: Area }) {
  const { t, preferences } = useReview();
  if (preferences.overlays.value.includes(area)) return null;
  /** To the right, the area on the right gets narrower. */
  const direction = area === "sidebar" ? 1 : -1;
  return (
    <Divider
      class={area === "sidebar" ? "divider-sidebar" : "divider-panel"}
      label={t(area === "sidebar" ? "Width of the files" : "Width of the companion")}
      value={preferences.widths[area]}
      limits={{ ...widthLimits, usual: widthLimits.usual[area] }}
      step={16 * direction}
      perPixel={() => direction}
    />
  );
}

/** Replaces the page when the frontend does not know this browser. */
function LockedOut() {
  const { t } = useReview();
  return (
    <main class="app empty">
      <div class="empty-card">
        <h1>{t("This page needs a new link")}</h1>
        <p>
          {t(
            "This link has been used, or the companion has been restarted. Open the link printed in the companion’s terminal; each link works once.",
          )}
        </p>
        <p>
          <RichText
            sentence="If the companion is not running, run $1 in your folder. It prints a link and opens it."
            values={[<code key="command">ide-companion</code>]}
          />
        </p>
        <p>
          <Button onClick={() => location.reload()}>{t("Try again")}</Button>
        </p>
      </div>
    </main>
  );
}
