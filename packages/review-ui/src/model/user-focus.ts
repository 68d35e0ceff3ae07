/** Whether a text has the focus: a field or an editor, also a read-only one. */
export function isInText(element: Element | null = document.activeElement): boolean {
  if (element instanceof HTMLInputElement) return element.type !== "checkbox" && element.type !== "button";
  if (element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement) return true;
  return element instanceof HTMLElement && element.isContentEditable && !element.closest("button");
}

/** Whether the user is writing. Then nothing may replace the active tab. */
export function isWriting(): boolean {
  const element = document.activeElement;
  return isInText(element) && element?.getAttribute("aria-readonly") !== "true";
}

/** The field in which the user writes, until they leave it for something else. */
let field: Element | undefined;
for (const name of ["focusin", "pointerdown"]) {
  window.addEventListener(
    name,
    ({ target }) => {
      field = target instanceof Element && target.matches("input, textarea") ? target : undefined;
    },
    { capture: true, passive: true },
  );
}

/** Whether the field in which the user was writing has gone since the last call: what they press is meant for it. */
export function hasLostField(): boolean {
  const isLost = field?.isConnected === false;
  if (isLost) field = undefined;
  return isLost;
}

/** Whether a key confirms or cancels what an input method composes. Safari sends it right after the composition. */
export function isOfInputMethod({ isComposing, keyCode }: KeyboardEvent): boolean {
  return isComposing || keyCode === 229;
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

/** Whether the user is dragging, for example a selection. */
export function isDragging(): boolean {
  return isPointerDown;
}
