import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** A dialog over the page, which takes the focus and gives it back. It is open as long as it is drawn. */
export function ModalDialog(props: {
  readonly class?: string;
  /** The id of its heading. */
  readonly labelledBy: string;
  /** The user has left it, by Escape or otherwise. */
  readonly onLeave: () => void;
  readonly children: ComponentChildren;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  // Before the next key, which is meant for what is there then.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>('[type="submit"]')?.focus();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      class={`sheet floating ${props.class ?? ""}`}
      aria-labelledby={props.labelledBy}
      onCancel={(event) => {
        // The browser says that it has closed a dialog only after the next keys.
        event.preventDefault();
        props.onLeave();
      }}
      onClose={({ currentTarget }) => {
        if (currentTarget.isConnected) props.onLeave();
      }}
    >
      {props.children}
    </dialog>
  );
}
