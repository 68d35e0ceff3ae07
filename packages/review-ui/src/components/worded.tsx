import type { ComponentChildren } from "preact";
import type { Sentence } from "../language/sentences.ts";
import { useReview } from "../review-context.ts";

interface WordedProps {
  readonly sentence: Sentence;
  /** For `$1`, `$2` …; each with a key. */
  readonly values: readonly ComponentChildren[];
}

/** A sentence with elements in it, in the order of the page's language. */
export function Worded({ sentence, values }: WordedProps) {
  const { t } = useReview();
  return (
    <>
      {t(sentence)
        .split(/\$(\d)/)
        .map((part, index) => (index % 2 ? values[Number(part) - 1] : part))}
    </>
  );
}
