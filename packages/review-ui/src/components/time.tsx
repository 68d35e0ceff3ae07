import { useReview } from "../review-context.ts";

/** @param at milliseconds since 1970 */
export function Time({ at }: { readonly at: number }) {
  const { language } = useReview();
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={date.toLocaleString(language)}>
      {date.toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" })}
    </time>
  );
}
