import { useSignal } from "@preact/signals";
import type { ComponentProps } from "preact";
import { assign } from "../model/preferences.ts";
import { useReview } from "../review-context.ts";

interface ButtonProps extends ComponentProps<"button"> {
  readonly kind?: "primary" | "quiet" | "danger" | undefined;
  /** As `onClick`, but not for the second of two: the first may have brought something else under the pointer. */
  readonly onDecide?: () => void;
}

/** A button with a text. */
export function Button({ kind, onDecide, ...props }: ButtonProps) {
  const onClick = ({ detail }: MouseEvent) => void (detail > 1 || onDecide?.());
  const name = kind ? `button button-${kind}` : "button";
  return <button type="button" class={name} {...(onDecide && { onClick })} {...props} />;
}

interface DiscardButtonProps {
  readonly label?: string;
  /** What the second click does. */
  readonly certain?: string;
  readonly onDiscard: () => void;
}

/** A button that discards something for good, after a second click elsewhere. */
export function DiscardButton({ label, certain, onDiscard }: DiscardButtonProps) {
  const { t } = useReview();
  const isAsking = useSignal(false);
  if (!isAsking.value) return <Button onClick={() => assign(isAsking, true)}>{label ?? t("Discard")}</Button>;
  return (
    <>
      <Button onClick={() => assign(isAsking, false)}>{t("Keep it")}</Button>
      <Button
        kind="danger"
        onDecide={() => {
          isAsking.value = false;
          onDiscard();
        }}
      >
        {certain ?? t("Discard for good")}
      </Button>
    </>
  );
}
