import { useEffect, useMemo, useRef } from "preact/hooks";
import { toComparable } from "../../../companion/src/files/comparable-text.ts";
import { compareTexts } from "../editor/comparison.ts";
import { createDiffEditor, type DiffEditor } from "../editor/diff-editor.ts";
import { useReview } from "../review-context.ts";
import { measureText } from "../text/text-scale.ts";

interface ComparisonProps {
  readonly before: string;
  readonly after: string;
  /** Of the file. */
  readonly label: string;
}

/** Two texts of a file, to be read. */
export function Comparison({ before: given, after, label }: ComparisonProps) {
  const { t, table, frontend, preferences } = useReview();
  const host = useRef<HTMLDivElement>(null);
  const wrap = preferences.wrap.value;
  // Line endings that an agent puts back would make every line a change.
  const before = useMemo(() => toComparable(given, after).text, [given, after]);
  const layout = before === "" ? "unified" : preferences.layout.value;
  useEffect(() => {
    const parent = host.current;
    if (!parent) return;
    const abort = new AbortController();
    const scale = measureText(before, after);
    const fileName = frontend.paths.peek().baseName(label);
    let editor: DiffEditor | undefined;
    void compareTexts(before, after, scale, abort.signal).then((comparison) => {
      if (abort.signal.aborted) return;
      editor = createDiffEditor({
        parent,
        layout,
        fileName,
        original: before,
        draft: after,
        comparison,
        scale,
        wrap,
        collapse: true,
        canEdit: false,
        canRevert: false,
        viewed: [],
        t,
        table,
        onUpdate: () => undefined,
      });
    });
    return () => {
      abort.abort();
      editor?.destroy();
    };
  }, [before, after, layout, wrap]);
  return <div ref={host} class={`editor diff diff-${layout}`} />;
}
