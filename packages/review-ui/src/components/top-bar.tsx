import { useReview } from "../review-context.ts";
import { IconButton } from "./icon-button.tsx";

/** The page's name, what it is connected to, and how it looks. */
export function TopBar() {
  const { door, preferences, isSheetOpen } = useReview();
  const { isSidebarOpen, isPanelOpen } = preferences;
  const roots = door.roots.value;
  return (
    <header class="top-bar">
      <IconButton
        icon="panelLeft"
        label={isSidebarOpen.value ? "Hide the files" : "Show the files"}
        pressed={isSidebarOpen.value}
        onClick={() => {
          isSidebarOpen.value = !isSidebarOpen.value;
        }}
      />
      <h1 class="top-title" title={roots.join("\n")}>
        {roots.length > 0 ? roots.map(door.paths.value.baseName).join(", ") : "Review"}
      </h1>
      <ConnectedClis />
      <span class="spacer" />
      <NotificationButton />
      <IconButton
        icon="keyboard"
        label="Keyboard shortcuts"
        onClick={() => {
          isSheetOpen.value = true;
        }}
      />
      <ThemeButton />
      <IconButton
        icon="panelRight"
        label={isPanelOpen.value ? "Hide the companion" : "Show the companion"}
        pressed={isPanelOpen.value}
        onClick={() => {
          isPanelOpen.value = !isPanelOpen.value;
        }}
      />
    </header>
  );
}

function ConnectedClis() {
  const { door, connection } = useReview();
  const sessions = door.sessions.value;
  if (connection.state.value !== "open") return <span class="chip chip-quiet">not connected</span>;
  if (sessions.length === 0) return <span class="chip chip-quiet">no CLI connected</span>;
  return (
    <ul class="chips" aria-label="Connected CLIs">
      {sessions.map(({ id, agent, streaming }) => (
        <li key={id} class={`chip ${streaming ? "chip-live" : "chip-quiet"}`}>
          <span class="dot" aria-hidden="true" />
          {agent}
        </li>
      ))}
    </ul>
  );
}

function NotificationButton() {
  const { attention } = useReview();
  if (attention.notifications.value !== "default") return null;
  return (
    <IconButton
      icon="bell"
      label="Notify me of proposals while this page is in the background"
      onClick={() => void attention.allow()}
    />
  );
}

function ThemeButton() {
  const { theme } = useReview().preferences;
  const order = ["system", "light", "dark"] as const;
  const next = order[(order.indexOf(theme.value) + 1) % order.length] ?? "system";
  return (
    <IconButton
      icon={theme.value === "light" ? "sun" : "moon"}
      label={`Theme: ${theme.value}. Switch to ${next}`}
      onClick={() => {
        theme.value = next;
      }}
    />
  );
}
