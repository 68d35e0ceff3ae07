import { effect, type ReadonlySignal } from "@preact/signals";
import type { Theme } from "./preferences.ts";

/** The styles follow the system unless the document says otherwise. */
export function followTheme(theme: ReadonlySignal<Theme>): void {
  effect(() => {
    if (theme.value === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme.value;
  });
}
