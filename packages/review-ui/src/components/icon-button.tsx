import { Icon, type IconName } from "./icon.tsx";

interface IconButtonProps {
  readonly icon: IconName;
  /** Says what it does. */
  readonly label: string;
  readonly onClick: () => void;
  /** For a button that switches something on and off. */
  readonly pressed?: boolean;
  readonly disabled?: boolean;
}

export function IconButton({ icon, label, onClick, pressed, disabled = false }: IconButtonProps) {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={label}
      {...(pressed === undefined ? {} : { "aria-pressed": pressed })}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
