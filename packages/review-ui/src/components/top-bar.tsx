import { assign, flip } from "../model/preferences.ts";
import { useReview } from "../review-context.ts";
import { IconButton } from "./icon.tsx";

/** The open folders, the connected CLIs, and the settings of the page. */
export function TopBar() {
  const { t, frontend, preferences, isSheetOpen } = useReview();
  const { isSidebarOpen, isPanelOpen } = preferences;
  const roots = frontend.roots.value;
  return (
    <header class="top-bar bar">
      <IconButton
        icon="panelLeft"
        label={t(isSidebarOpen.value ? "Hide the files" : "Show the files")}
        aria-pressed={isSidebarOpen.value}
        onClick={() => flip(isSidebarOpen)}
      />
      <h1 class="top-title cut-off" title={roots.join("\n")}>
        {roots.length > 0 ? roots.map(frontend.paths.value.baseName).join(", ") : t("Review")}
      </h1>
      <ConnectedClis />
      {frontend.status.value.paused && <span class="chip chip-paused">{t("Sharing paused")}</span>}
      <span class="grow" />
      <IconButton icon="keyboard" label={t("Keyboard shortcuts")} onClick={() => assign(isSheetOpen, true)} />
      <ThemeButton />
      <IconButton
        icon="panelRight"
        label={t(isPanelOpen.value ? "Hide the companion" : "Show the companion")}
        aria-pressed={isPanelOpen.value}
        onClick={() => flip(isPanelOpen)}
      />
    </header>
  );
}

function ConnectedClis() {
  const { t, frontend, connection } = useReview();
  const sessions = frontend.sessions.value;
  const state = connection.state.value;
  if (state === "silent") return <span class="chip quiet">{t("not answering")}</span>;
  if (state !== "open") return <span class="chip quiet">{t("not connected")}</span>;
  if (sessions.length === 0) return <span class="chip quiet">{t("no CLI connected")}</span>;
  return (
    <ul class="chips row" aria-label={t("Connected CLIs")}>
      {sessions.map(({ id, agent, streaming }) => (
        <li key={id} class={`chip ${streaming ? "chip-live" : "quiet"}`}>
          <span class="dot" aria-hidden="true" />
          {agent}
        </li>
      ))}
    </ul>
  );
}

function ThemeButton() {
  const { t, preferences } = useReview();
  const { theme } = preferences;
  const order = ["system", "light", "dark"] as const;
  const next = order[(order.indexOf(theme.value) + 1) % order.length] ?? "system";
  return (
    <IconButton
      icon={theme.value === "light" ? "sun" : "moon"}
      label={t("Theme: $1. Switch to $2", t(theme.value), t(next))}
      onClick={() => assign(theme, next)}
    />
  );
}
