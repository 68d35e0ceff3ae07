/** Whether the keys that are pressed now go into a text: a field, or an editor, also one that is only read. */
export function isInText(element: Element | null = document.activeElement): boolean {
  if (element instanceof HTMLInputElement) return element.type !== "checkbox" && element.type !== "button";
  if (element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement) return true;
  return element instanceof HTMLElement && element.isContentEditable && !element.closest("button");
}

/** Whether the user is writing: then nothing may take the place of what they look at. */
export function isWriting(): boolean {
  const element = document.activeElement;
  return isInText(element) && element?.getAttribute("aria-readonly") !== "true";
}

let isPointerDown = false;
for (const name of ["pointerdown", "pointerup", "pointercancel"]) {
  window.addEventListener(
    name,
    () => {
      isPointerDown = name === "pointerdown";
    },
    { capture: true, passive: true },
  );
}

/** Whether the user is dragging, a selection for example. */
export function isDragging(): boolean {
  return isPointerDown;
}
