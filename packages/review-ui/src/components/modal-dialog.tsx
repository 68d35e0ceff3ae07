import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** A dialog over the page that is open as long as its owner says so, and takes the focus. */
export function ModalDialog(props: {
  readonly isOpen: boolean;
  readonly class: string;
  /** The id of its heading. */
  readonly labelledBy: string;
  /** The user has left it, by Escape or otherwise. */
  readonly onLeave: () => void;
  readonly children: ComponentChildren;
}) {
  const { isOpen, onLeave } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const isClosedByOwner = useRef(false);
  // Before the next key, which is meant for what is there then.
  useLayoutEffect(() => {
    if (!isOpen) {
      isClosedByOwner.current = dialog.current?.open === true;
      return dialog.current?.close();
    }
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('[type="submit"]')?.focus();
  }, [isOpen]);
  return (
    <dialog
      ref={dialog}
      class={props.class}
      aria-labelledby={props.labelledBy}
      onCancel={(event) => {
        // The browser says that it has closed a dialog only after the next keys.
        event.preventDefault();
        onLeave();
      }}
      onClose={() => {
        // The event comes a moment later: its owner may want the dialog again by then.
        if (!isClosedByOwner.current) onLeave();
        isClosedByOwner.current = false;
      }}
    >
      {props.children}
    </dialog>
  );
}
