import { useReview } from "../review-context.ts";
import { EditsList } from "./edits-list.tsx";
import { HistoryList } from "./history-list.tsx";
import { LanguageChoice } from "./language-choice.tsx";
import { SessionList } from "./session-list.tsx";
import { ToldContext } from "./told-context.tsx";

/** Who is connected, what they know, what has been decided. */
export function SidePanel({ isOverlay }: { readonly isOverlay: boolean }) {
  const { t } = useReview();
  const className = `side-panel${isOverlay ? " overlay" : ""}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: F6 leads here, and its content scrolls
    <aside class={className} aria-label={t("Companion")} tabIndex={0} data-area>
      <SessionList />
      <ToldContext />
      <EditsList />
      <HistoryList />
      <LanguageChoice />
    </aside>
  );
}
