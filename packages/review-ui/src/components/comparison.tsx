import { useEffect, useMemo, useRef } from "preact/hooks";
import { toComparable } from "../../../companion/src/files/comparable-text.ts";
import { compareTexts } from "../editor/comparison.ts";
import { createDiffEditor, type DiffEditor } from "../editor/diff-editor.ts";
import { explainError } from "../model/api.ts";
import { useReview } from "../review-context.ts";
import { measureText } from "../text/text-scale.ts";
import { Button } from "./button.tsx";
import { sidesDivider } from "./divider.tsx";

interface ComparisonProps {
  readonly before: string;
  readonly after: string;
  /** The file. */
  readonly label: string;
}

/** A read-only diff of two texts of a file. */
export function Comparison({ before: original, after, label }: ComparisonProps) {
  const { t, catalog, frontend, preferences } = useReview();
  const host = useRef<HTMLDivElement>(null);
  const wrap = preferences.wrap.value;
  // Other line endings would make every line a change, and the agent restores them.
  const before = useMemo(() => toComparable(original, after).text, [original, after]);
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
        ...{ parent, layout, fileName, comparison, scale, wrap, t, catalog },
        original: before,
        draft: after,
        collapse: true,
        canEdit: false,
        canRevert: false,
        hasBars: false,
        divide: sidesDivider(preferences.leftShare, t),
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

interface TextActionsProps {
  readonly text: string;
  /** The file. */
  readonly label: string;
}

/** Buttons that copy and download a text. */
export function TextActions({ text, label }: TextActionsProps) {
  const { t, frontend, toasts } = useReview();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toasts.show({ level: "info", text: t("The text of $1 is in the clipboard.", label) });
    } catch (error) {
      toasts.show({ level: "error", text: explainError(error) });
    }
  };
  return (
    <>
      <Button onClick={() => void copy()}>{t("Copy")}</Button>
      <Button onClick={() => download(text, frontend.paths.peek().baseName(label))}>{t("Download")}</Button>
    </>
  );
}

function download(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
