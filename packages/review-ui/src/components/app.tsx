import { useLayoutEffect } from "preact/hooks";
import { type Area, widthLimits } from "../model/preferences.ts";
import { useReview } from "../review-context.ts";
import { Button } from "./button.tsx";
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
        {isSidebarOpen.value && <Divider area="sidebar" />}
        <TabBar />
        <TabPanels />
        {isPanelOpen.value && <Divider area="panel" />}
      </main>
      {open && (
        <button type="button" class="backdrop" aria-label={t("Close")} tabIndex={-1} onClick={close} />
      )}
      {isPanelOpen.value && <SidePanel isOverlay={open === "panel"} />}
    </div>
  );
}

/** Pixels by which an arrow key moves it. */
const step = 16;

/** The line between an area and the text, which moves with the pointer or the arrow keys. An overlay has none. */
function Divider({ area }: { readonly area: Area }) {
  const { t, preferences } = useReview();
  const width = preferences.widths[area];
  const { usual, least, most } = widthLimits;
  if (preferences.overlays.value.includes(area)) return null;
  /** To the right, the area on the right gets narrower. */
  const direction = area === "sidebar" ? 1 : -1;
  const set = (wanted: number) => {
    width.value = Math.min(most, Math.max(least, Math.round(wanted)));
  };
  const drag = (event: PointerEvent & { readonly currentTarget: HTMLElement }) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const { currentTarget: divider, clientX: start, pointerId } = event;
    const before = width.value;
    divider.setPointerCapture(pointerId);
    const move = ({ clientX }: PointerEvent) => set(before + (clientX - start) * direction);
    const stop = () => divider.removeEventListener("pointermove", move);
    divider.addEventListener("pointermove", move);
    divider.addEventListener("lostpointercapture", stop, { once: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const pressed = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (pressed !== undefined) set(width.value + step * direction * pressed);
    else if (event.key === "Enter") set(usual[area]);
    else return;
    event.preventDefault();
  };
  const label = t(area === "sidebar" ? "Width of the files" : "Width of the companion");
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved
    <div
      class={`divider ${area === "sidebar" ? "divider-sidebar" : "divider-panel"}`}
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={width.value}
      title={label}
      onPointerDown={drag}
      onDblClick={() => set(usual[area])}
      onKeyDown={onKeyDown}
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
