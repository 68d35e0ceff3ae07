import type { Sentence } from "../language/language.ts";
import { keyName, onMac } from "./key-name.ts";
import { flip } from "./preferences.ts";
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

type Row = readonly [
  /** Several are separated by blanks. */
  keys: string,
  title: Sentence,
  run: Shortcut["run"],
  when?: Pick<Shortcut, "inText" | "once">,
];

const toShortcuts = (group: Shortcut["group"], rows: readonly Row[]): readonly Shortcut[] =>
  rows.map(([keys, title, run, when]) => ({ group, keys: keys.split(" "), title, run, ...when }));

const inText = { inText: true };
const toDecide = { inText: true, once: true };

/** All shortcuts, with their titles in the sheet. */
export const shortcuts: readonly Shortcut[] = [
  ...toShortcuts("Review", [
    ["Mod+Enter", "Accept, or keep the written file", inDiff((diff) => diff.accept()), toDecide],
    ["Mod+Shift+Backspace", "Reject, or revert the written file", inDiff((diff) => diff.reject()), toDecide],
    ["j", "Next change", inDiff((diff) => diff.goTo(1))],
    ["k", "Previous change", inDiff((diff) => diff.goTo(-1))],
    ["Alt+ArrowDown", "Next change, also while editing", inDiff((diff) => diff.goTo(1)), inText],
    ["Alt+ArrowUp", "Previous change, also while editing", inDiff((diff) => diff.goTo(-1)), inText],
    ["y", "Mark this change as viewed, or not; keep a written one", inDiff((diff) => diff.pass())],
    ["V", "Mark this file as viewed, or not", inDiff((diff) => diff.passAll())],
    ["n", "Revert this change", inDiff((diff) => diff.revert())],
    ["z", "Undo the last decision", undo],
    ["c", "Comment on the selected lines", inDiff((diff) => diff.comment())],
    // On a Mac, Option with a letter types another one.
    [
      onMac ? "Mod+Alt+m" : "Alt+c",
      "Comment on the selected lines, also while editing",
      inDiff((diff) => diff.comment()),
      inText,
    ],
    ["C", "Comment on the change", inDiff((diff) => diff.commentOnAll())],
    ["i", "Edit the proposed text", inDiff((diff) => diff.enter())],
    ["Escape", "Leave the text, or what is open above it", leave, inText],
    ["o", "Open in your editor, at this line", openInEditor],
    ["u", "Side by side or unified", toggleLayout],
    ["h", "Hide or show changes of white space alone", toggleBlanks],
    ["e", "Show or fold unchanged lines", inDiff((diff) => diff.toggleUnchanged())],
    ["r", "Show Markdown rendered or not", ({ preferences }) => flip(preferences.isRendered)],
    ["p", "Next waiting proposal", ({ waiting }) => waiting.step(1)],
    ["P", "Previous waiting proposal", ({ waiting }) => waiting.step(-1)],
    ["a", "All waiting changes in one scroll, or one by one", ({ waiting }) => waiting.toggleScroll()],
    ["W", "Next turn in which an agent wrote without asking", ({ written }) => written.step()],
    ["A", "Accept all that wait, after a question", ({ waiting }) => waiting.ask("accept")],
    ["R", "Reject all that wait, after a question", ({ waiting }) => waiting.ask("reject")],
  ]),
  ...toShortcuts("Move around", [
    ["/", "Find a file", findFile],
    ["F6", "Next area of the page", () => stepArea(1), inText],
    ["Shift+F6", "Previous area", () => stepArea(-1), inText],
    ["]", "Next tab", ({ tabs }) => tabs.step(1)],
    ["s", "Send to agent", sendActive],
    // The tree takes this key.
    ["v", "Mark a file of the list, to send several", () => false],
    ["[", "Previous tab", ({ tabs }) => tabs.step(-1)],
    ["x", "Close the tab; a change in it waits on", closeTab, { once: true }],
    ["Mod+f", "Search in the text", find, inText],
    ["F3 Mod+g", "Next match", ({ finder }) => finder.value?.step(1) ?? false, inText],
    ["Shift+F3 Mod+G", "Previous match", ({ finder }) => finder.value?.step(-1) ?? false, inText],
  ]),
  ...toShortcuts("Page", [
    ["w", "Wrap long lines or not", ({ preferences }) => flip(preferences.wrap)],
    ["b", "Show or hide the files", ({ preferences }) => flip(preferences.isSidebarOpen)],
    ["m", "Show or hide the companion", ({ preferences }) => flip(preferences.isPanelOpen)],
    ["t", "Light or dark", toggleTheme],
    ["?", "This sheet", ({ isSheetOpen }) => flip(isSheetOpen)],
  ]),
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

/** In front of a proposal, only what a message still offers: what was written long ago is elsewhere. */
function undo({ toasts, tabs, written }: Review): unknown {
  if (toasts.undo()) return;
  const { kind } = tabs.active.value ?? {};
  return kind === "proposal" || kind === "waiting" ? false : written.undo();
}

function leave({ isSheetOpen, diff, tabs, preferences: { overlay } }: Review): unknown {
  if (isSheetOpen.value) return flip(isSheetOpen);
  const element = document.activeElement;
  if (element?.closest("[data-own-escape]")) return false; // such a part closes itself
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

function toggleBlanks({ preferences: { hidesBlanks }, diff }: Review): unknown {
  return diff.value ? flip(hidesBlanks) : false;
}

function openInEditor(review: Review): unknown {
  const active = review.tabs.active.value;
  if (active?.kind !== "file") return inDiff((diff) => diff.open())(review);
  void review.guide.openInEditor(active.subject);
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
  references.sendSelection(active.subject);
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
  const all = [...document.querySelectorAll<HTMLElement>("[data-area]")];
  const areas = all.filter((area) => area.checkVisibility());
  // The head of a diff is within another area.
  const index = areas.findLastIndex((area) => area.contains(document.activeElement));
  areas.at((index + direction) % areas.length)?.focus();
}

function focusOn(selector: string): unknown {
  const element = document.querySelector<HTMLElement>(selector);
  if (!element) return false;
  element.focus();
}
