import type { Sentence } from "../language/language.ts";
import { keyName, onMac } from "./key-name.ts";
import type { Review } from "./review.ts";
import { hasLostField, isInText, isOfInputMethod } from "./user-focus.ts";

/** A keyboard shortcut of the page. */
export interface Shortcut {
  readonly group: "Review" | "Move around" | "Page";
  /** As `keyName` writes them. */
  readonly keys: readonly string[];
  readonly title: Sentence;
  /** It also works while a text has the focus. */
  readonly inText?: boolean;
  /** A key that is held decides once: the next proposal is in front by then. */
  readonly once?: boolean;
  /** @returns false when it does nothing here, so that the browser handles the key */
  readonly run: (review: Review) => unknown;
}

/** All shortcuts, with their titles in the sheet. */
export const shortcuts: readonly Shortcut[] = [
  {
    group: "Review",
    keys: ["Mod+Enter"],
    title: "Accept",
    inText: true,
    once: true,
    run: inDiff((diff) => diff.accept()),
  },
  {
    group: "Review",
    keys: ["Mod+Shift+Backspace"],
    title: "Reject",
    inText: true,
    once: true,
    run: inDiff((diff) => diff.reject()),
  },
  { group: "Review", keys: ["j"], title: "Next change", run: inDiff((diff) => diff.goTo(1)) },
  { group: "Review", keys: ["k"], title: "Previous change", run: inDiff((diff) => diff.goTo(-1)) },
  {
    group: "Review",
    keys: ["Alt+ArrowDown"],
    title: "Next change, also while editing",
    inText: true,
    run: inDiff((diff) => diff.goTo(1)),
  },
  {
    group: "Review",
    keys: ["Alt+ArrowUp"],
    title: "Previous change, also while editing",
    inText: true,
    run: inDiff((diff) => diff.goTo(-1)),
  },
  {
    group: "Review",
    keys: ["y"],
    title: "Mark this change as viewed, or not",
    run: inDiff((diff) => diff.toggleViewed()),
  },
  { group: "Review", keys: ["n"], title: "Revert this change", run: inDiff((diff) => diff.revert()) },
  {
    group: "Review",
    keys: ["c"],
    title: "Comment on the selected lines",
    run: inDiff((diff) => diff.comment()),
  },
  {
    group: "Review",
    // On a Mac, Option with a letter types another one.
    keys: [onMac ? "Mod+Alt+m" : "Alt+c"],
    title: "Comment on the selected lines, also while editing",
    inText: true,
    run: inDiff((diff) => diff.comment()),
  },
  { group: "Review", keys: ["i"], title: "Edit the proposed text", run: inDiff((diff) => diff.enter()) },
  {
    group: "Review",
    keys: ["Escape"],
    title: "Leave the text, or what is open above it",
    inText: true,
    run: leave,
  },
  { group: "Review", keys: ["u"], title: "Side by side or unified", run: toggleLayout },
  {
    group: "Review",
    keys: ["e"],
    title: "Show or fold unchanged lines",
    run: inDiff((diff) => diff.toggleUnchanged()),
  },
  {
    group: "Review",
    keys: ["p"],
    title: "Next waiting proposal",
    run: ({ waiting }) => waiting.step(1),
  },
  {
    group: "Review",
    keys: ["P"],
    title: "Previous waiting proposal",
    run: ({ waiting }) => waiting.step(-1),
  },
  {
    group: "Review",
    keys: ["A"],
    title: "Accept all that wait, after a question",
    run: ({ waiting }) => waiting.ask("accept"),
  },
  {
    group: "Review",
    keys: ["R"],
    title: "Reject all that wait, after a question",
    run: ({ waiting }) => waiting.ask("reject"),
  },
  { group: "Move around", keys: ["/"], title: "Find a file", run: findFile },
  {
    group: "Move around",
    keys: ["F6"],
    title: "Next area of the page",
    inText: true,
    run: () => stepArea(1),
  },
  { group: "Move around", keys: ["Shift+F6"], title: "Previous area", inText: true, run: () => stepArea(-1) },
  { group: "Move around", keys: ["]"], title: "Next tab", run: ({ tabs }) => tabs.step(1) },
  { group: "Move around", keys: ["s"], title: "Send to agent", run: sendActive },
  {
    group: "Move around",
    keys: ["v"],
    title: "Mark a file of the list, to send several",
    // The tree takes this key.
    run: () => false,
  },
  { group: "Move around", keys: ["["], title: "Previous tab", run: ({ tabs }) => tabs.step(-1) },
  {
    group: "Move around",
    keys: ["x"],
    title: "Close the tab; a change in it waits on",
    once: true,
    run: closeTab,
  },
  { group: "Move around", keys: ["Mod+f"], title: "Search in the text", inText: true, run: find },
  {
    group: "Move around",
    keys: ["F3", "Mod+g"],
    title: "Next match",
    inText: true,
    run: ({ finder }) => finder.value?.step(1) ?? false,
  },
  {
    group: "Move around",
    keys: ["Shift+F3", "Mod+G"],
    title: "Previous match",
    inText: true,
    run: ({ finder }) => finder.value?.step(-1) ?? false,
  },
  {
    group: "Move around",
    keys: ["Mod+Alt+f"],
    title: "Search and replace while editing",
    inText: true,
    run: () => false,
  },
  {
    group: "Page",
    keys: ["w"],
    title: "Wrap long lines or not",
    run: ({ preferences }) => flip(preferences.wrap),
  },
  {
    group: "Page",
    keys: ["b"],
    title: "Show or hide the files",
    run: ({ preferences }) => flip(preferences.isSidebarOpen),
  },
  {
    group: "Page",
    keys: ["m"],
    title: "Show or hide the companion",
    run: ({ preferences }) => flip(preferences.isPanelOpen),
  },
  { group: "Page", keys: ["t"], title: "Light or dark", run: toggleTheme },
  { group: "Page", keys: ["?"], title: "This sheet", run: ({ isSheetOpen }) => flip(isSheetOpen) },
];

/** Listens on the whole page. @returns a function that stops it */
export function listenToShortcuts(review: Review): () => void {
  const listen = (event: KeyboardEvent) => {
    // A question takes all keys.
    if (isOfInputMethod(event) || event.defaultPrevented || review.waiting.question.value) return;
    if (hasLostField()) review.keyGuard.start();
    const name = keyName(event);
    if (review.isSheetOpen.value && name !== "Escape" && name !== "?") return;
    const shortcut = shortcuts.find(({ keys, inText }) => keys.includes(name) && (inText || !isInText()));
    if (!shortcut || (!isInText() && review.keyGuard.blocks())) return;
    const isOver = shortcut.once && event.repeat;
    if (!isOver && shortcut.run(review) === false) return;
    event.preventDefault();
    event.stopPropagation();
  };
  // Before the editors, whose Mod+Enter inserts a line.
  window.addEventListener("keydown", listen, { capture: true });
  return () => window.removeEventListener("keydown", listen, { capture: true });
}

function inDiff(run: (diff: NonNullable<Review["diff"]["value"]>) => void): Shortcut["run"] {
  return ({ diff }) => {
    // A comment has separate keys, which must not decide.
    if (document.activeElement?.closest(".comment-box textarea")) return false;
    const isElsewhere = isInText() && !document.activeElement?.closest('[role="tabpanel"]');
    return diff.value && !isElsewhere ? run(diff.value) : false;
  };
}

function flip(value: { value: boolean }): void {
  value.value = !value.value;
}

function leave({ isSheetOpen, diff, tabs, preferences: { overlay } }: Review): unknown {
  if (isSheetOpen.value) return flip(isSheetOpen);
  const element = document.activeElement;
  if (element?.closest(".cm-panel, [data-own-escape]")) return false; // the search closes itself
  if (overlay.value) {
    overlay.value = undefined;
    return focusOn("#main");
  }
  if (!isInText(element)) return false;
  if (diff.value) return diff.value.leave();
  if (tabs.active.value) return focusOn('[role="tab"][aria-selected="true"]');
  return false;
}

function toggleLayout({ preferences: { layout }, diff }: Review): unknown {
  if (!diff.value) return false;
  layout.value = layout.value === "unified" ? "side-by-side" : "unified";
}

function closeTab({ tabs, controller }: Review): unknown {
  const active = tabs.active.value;
  return active ? controller.dismiss(active) : false;
}

/** The tree sends its own entries. */
function sendActive({ tabs, references }: Review): unknown {
  const active = tabs.active.value;
  const isInTree = document.activeElement?.closest("#file-tree");
  if (isInTree || active?.kind !== "file" || !references.isHeard.value) return false;
  references.sendSelection(active.path);
}

function findFile({ preferences: { isSidebarOpen } }: Review): void {
  isSidebarOpen.value = true;
  // The field is drawn first, in an earlier microtask.
  queueMicrotask(() => focusOn("#file-filter"));
}

function find({ finder }: Review): unknown {
  return finder.value ? finder.value.open() : false;
}

function toggleTheme({ preferences: { theme } }: Review): void {
  const isDark =
    theme.value === "dark" ||
    (theme.value === "system" && window.matchMedia("(prefers-color-scheme: dark)").matches);
  theme.value = isDark ? "light" : "dark";
}

function stepArea(direction: 1 | -1): void {
  const areas = [...document.querySelectorAll<HTMLElement>("[data-area]")].filter(
    (area) => area.offsetParent,
  );
  const index = areas.findIndex((area) => area.contains(document.activeElement));
  areas.at((index + direction) % areas.length)?.focus();
}

function focusOn(selector: string): unknown {
  const element = document.querySelector<HTMLElement>(selector);
  if (!element) return false;
  element.focus();
}
