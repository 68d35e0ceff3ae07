import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

/** Rows drawn beyond what is in sight, so that a quick scroll meets no gap. */
const margin = 10;

/**
 * Which rows of a long list are in sight.
 * @param rowHeight pixels
 * @returns the first, and the one after the last
 */
export function useWindow(
  list: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
): readonly [from: number, to: number] {
  const sight = useSignal({ top: 0, height: 800 });
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const measure = () => {
      sight.value = { top: element.scrollTop, height: element.clientHeight };
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    measure();
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [list]);
  const { top, height } = sight.value;
  const from = Math.max(0, Math.floor(top / rowHeight) - margin);
  return [from, Math.min(count, Math.ceil((top + height) / rowHeight) + margin)];
}
