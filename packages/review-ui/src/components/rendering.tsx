import type { EditorView } from "@codemirror/view";
import type { RefObject } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { hunksOf } from "../editor/hunks.ts";
import { flip } from "../model/preferences.ts";
import { useReview } from "../review-context.ts";
import { Strip } from "./diff-strips.tsx";
import { IconButton } from "./icon.tsx";
import { useAnswer } from "./use-answer.ts";

/** UTF-16 units of the longest text that is rendered, which takes 0.2 s. */
const maxText = 100_000;

const isMarkdown = (fileName: string): boolean => /\.(?:md|markdown)$/i.test(fileName);

/** Whether a file is shown as what it looks like, too. */
export function useRendered(fileName: string): boolean {
  return useReview().preferences.isRendered.value && isMarkdown(fileName);
}

/** Of a Markdown text. */
export function RenderButton({ fileName }: Pick<RenderingProps, "fileName">) {
  const { t, preferences } = useReview();
  const { isRendered } = preferences;
  if (!isMarkdown(fileName)) return null;
  const label = t("Show Markdown rendered ($1)", "r");
  return (
    <IconButton
      icon="rendered"
      label={label}
      aria-pressed={isRendered.value}
      onClick={() => flip(isRendered)}
    />
  );
}

interface RenderingProps {
  readonly text: string;
  readonly fileName: string;
  /** Where the text is edited, or read. */
  readonly view: EditorView | undefined;
}

interface TextPartsProps extends RenderingProps {
  /** For the editor. */
  readonly host: RefObject<HTMLDivElement | null>;
  readonly kind: string;
}

/** A text in its editor, and what it looks like where its user wants to see that. */
export function TextParts({ host, kind, ...rendering }: TextPartsProps) {
  return (
    <div class="text-parts">
      <div ref={host} class={kind} />
      {useRendered(rendering.fileName) && <Rendering {...rendering} />}
    </div>
  );
}

/** Scrolled to what its editor shows. */
function Rendering({ text, fileName, view }: RenderingProps) {
  const { t } = useReview();
  const root = useRef<HTMLElement>(null);
  const isLong = text.length > maxText;
  const { answer, trouble } = useAnswer(() => import("../editor/markdown.ts"), []);
  const content = useMemo(() => {
    const hunks = view ? hunksOf(view.state) : [];
    const isChanged = (part: { readonly from: number; readonly to: number }) =>
      hunks.some(({ from, to }) => from < part.to && to > part.from);
    return isLong ? undefined : answer?.renderMarkdown(text, isChanged);
  }, [answer, text, view]);
  useEffect(() => {
    const scroll = () => {
      if (root.current && view) follow(root.current, view);
    };
    scroll();
    view?.scrollDOM.addEventListener("scroll", scroll, { passive: true });
    return () => view?.scrollDOM.removeEventListener("scroll", scroll);
  }, [view, content]);
  const strip = isLong ? t("This text is too long to be rendered.") : trouble;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section ref={root} class="rendering" aria-label={t("$1 rendered", fileName)} tabIndex={0}>
      {strip ? <Strip level="info">{strip}</Strip> : content}
    </section>
  );
}

/** Scrolls to what is at the top of an editor; within a block, as far as the text is. */
function follow(root: HTMLElement, view: EditorView): void {
  const { scrollDOM, documentTop } = view;
  const { from } = view.lineBlockAtHeight(scrollDOM.getBoundingClientRect().top - documentTop);
  const blocks = [...root.querySelectorAll<HTMLElement>("[data-at]")].map((block) => ({
    at: Number(block.dataset.at),
    top: block.getBoundingClientRect().top - root.getBoundingClientRect().top,
  }));
  const index = blocks.findLastIndex(({ at }) => at <= from);
  const [above, below] = [blocks[index], blocks[index + 1]];
  const share = above && below ? (from - above.at) / (below.at - above.at) : 0;
  root.scrollTop += above && from > 0 ? above.top + share * ((below?.top ?? 0) - above.top) : -root.scrollTop;
}
