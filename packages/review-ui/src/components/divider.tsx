import type { Signal } from "@preact/signals";
import { render } from "preact";
import type { Translate } from "../language/language.ts";

interface DividerProps {
  /** Where it is. */
  readonly class: string;
  readonly label: string;
  readonly value: Signal<number>;
  readonly limits: { readonly usual: number; readonly least: number; readonly most: number };
  /** How much an arrow key adds; negative where the value grows to the left. */
  readonly step: number;
  /** How much a pixel to the right adds. */
  readonly perPixel: (divider: HTMLElement) => number;
}

/** A line between two parts of the page that moves with the pointer, or with the arrow keys. */
export function Divider({ class: place, label, value, limits, step, perPixel }: DividerProps) {
  const { usual, least, most } = limits;
  const set = (wanted: number) => {
    value.value = Math.min(most, Math.max(least, Math.round(wanted * 10) / 10));
  };
  const drag = (event: PointerEvent & { readonly currentTarget: HTMLElement }) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const { currentTarget: divider, clientX: start, pointerId } = event;
    const [before, scale] = [value.value, perPixel(divider)];
    divider.setPointerCapture(pointerId);
    const move = ({ clientX }: PointerEvent) => set(before + (clientX - start) * scale);
    const stop = () => divider.removeEventListener("pointermove", move);
    divider.addEventListener("pointermove", move);
    divider.addEventListener("lostpointercapture", stop, { once: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (direction !== undefined) set(value.value + step * direction);
    else if (event.key === "Enter") set(usual);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved
    <div
      class={`divider ${place}`}
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={value.value}
      title={label}
      onPointerDown={drag}
      onDblClick={() => set(usual)}
      onKeyDown={onKeyDown}
    />
  );
}

const shareLimits = { usual: 50, least: 20, most: 80 };

/**
 * Divides the two sides of a diff.
 * @param share of the left side, in percent
 * @returns a function that shows a divider in the element that holds both sides, and returns how to take it away
 */
export function sidesDivider(share: Signal<number>, t: Translate): (sides: HTMLElement) => () => void {
  const label = t("Width of the left side");
  return (sides) => {
    const place = sides.appendChild(document.createElement("div"));
    const perPixel = () => 100 / sides.clientWidth;
    render(
      <Divider class="divider-sides" value={share} limits={shareLimits} step={2} {...{ label, perPixel }} />,
      place,
    );
    const stop = share.subscribe((percent) => sides.style.setProperty("--left-share", `${percent}`));
    return () => {
      stop();
      render(null, place);
    };
  };
}
