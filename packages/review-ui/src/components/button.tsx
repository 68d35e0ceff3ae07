import type { ComponentProps } from "preact";

interface ButtonProps extends ComponentProps<"button"> {
  readonly kind?: "primary" | "quiet" | "danger" | undefined;
}

/** A button with a text. */
export function Button({ kind, ...props }: ButtonProps) {
  return <button type="button" class={kind ? `button button-${kind}` : "button"} {...props} />;
}
