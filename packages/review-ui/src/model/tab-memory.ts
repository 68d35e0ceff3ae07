import { effect } from "@preact/signals";
import { recall, remember } from "./storage.ts";
import type { Tabs } from "./tabs.ts";

/** Opens the files that were open before a reload, and remembers them from now on. */
export function restoreTabs(tabs: Tabs): void {
  const known = recall(sessionStorage, "files");
  const paths = Array.isArray(known) ? known.filter((path) => typeof path === "string") : [];
  for (const path of paths) tabs.open({ kind: "file", path });
  const active = recall(sessionStorage, "active");
  if (typeof active === "string" && tabs.list.value.some(({ id }) => id === active)) tabs.activate(active);
  effect(() => {
    const files = tabs.list.value.flatMap((tab) => (tab.kind === "file" ? [tab.path] : []));
    remember(sessionStorage, "files", files);
    remember(sessionStorage, "active", tabs.active.value?.id);
  });
}
