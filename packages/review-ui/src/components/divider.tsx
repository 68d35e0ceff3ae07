interface DividerProps {
  /** What it makes wider or narrower. */
  readonly label: string;
  /** Between `min` and `max`. */
  readonly value: number;
  readonly min: number;
  readonly max: number;
  /** For an arrow key. */
  readonly step: number;
  /** By how much the value changes for each pixel to the right. */
  readonly perPixel: number;
  readonly onChange: (value: number) => void;
  /** Back to the usual value. */
  readonly onReset: () => void;
}

/** A line between two areas that moves with the pointer, or with the arrow keys. */
export function Divider(props: DividerProps) {
  const { label, value, min, max, step, perPixel, onChange, onReset } = props;
  const set = (wanted: number) => onChange(Math.min(max, Math.max(min, wanted)));
  const drag = (event: PointerEvent & { readonly currentTarget: HTMLElement }) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const { currentTarget: divider, clientX: start, pointerId } = event;
    divider.setPointerCapture(pointerId);
    const move = ({ clientX }: PointerEvent) => set(value + (clientX - start) * perPixel);
    divider.addEventListener("pointermove", move);
    divider.addEventListener("lostpointercapture", () => divider.removeEventListener("pointermove", move), {
      once: true,
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (direction !== undefined) set(value + direction * step * Math.sign(perPixel));
    else if (event.key === "Home") set(min);
    else if (event.key === "End") set(max);
    else if (event.key === "Enter") onReset();
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved
    <div
      class="divider"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuenow={value}
      title={label}
      onPointerDown={drag}
      onDblClick={onReset}
      onKeyDown={onKeyDown}
    />
  );
}
