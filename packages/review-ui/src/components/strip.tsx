import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";

interface StripProps {
  readonly level: "info" | "warning" | "error";
  readonly children: ComponentChildren;
  /** Buttons. */
  readonly actions?: ComponentChildren;
}

/** A message above a text. */
export function Strip({ level, children, actions }: StripProps) {
  return (
    <div class={`strip strip-${level}`} role={level === "info" ? "note" : "alert"}>
      {level !== "info" && <Icon name="warning" />}
      <p>{children}</p>
      {actions}
    </div>
  );
}

/** Shows that something is in progress. */
export function Progress({ text }: { readonly text: string }) {
  return (
    <div class="progress" role="status">
      <progress aria-label={text} />
      <p>{text}</p>
    </div>
  );
}
