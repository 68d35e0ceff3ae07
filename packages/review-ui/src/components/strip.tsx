import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";

interface StripProps {
  readonly level: "info" | "warning" | "error";
  readonly children: ComponentChildren;
  /** Buttons. */
  readonly actions?: ComponentChildren;
}

/** A line above a text that says something about it. */
export function Strip({ level, children, actions }: StripProps) {
  return (
    <div class={`strip strip-${level}`} role={level === "info" ? "note" : "alert"}>
      {level !== "info" && <Icon name="warning" />}
      <p>{children}</p>
      {actions}
    </div>
  );
}

/** Something that takes a while. */
export function Progress({ text }: { readonly text: string }) {
  return (
    <div class="progress" role="status">
      <progress aria-label={text} />
      <p>{text}</p>
    </div>
  );
}
