import type { EditorView } from "@codemirror/view";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { toComparable } from "../../../companion/src/files/comparable-text.ts";
import {
  type Comparison as Compared,
  compareTexts,
  compareWithinHunks,
  hideBlanks,
} from "../editor/comparison.ts";
import { createDiffEditor, type DiffEditor } from "../editor/diff-editor.ts";
import type { DiffSnapshot } from "../editor/diff-snapshot.ts";
import type { Hunk } from "../editor/hunks.ts";
import type { LineChange } from "../model/api.ts";
import { useReview } from "../review-context.ts";
import { measureText } from "../text/text-scale.ts";
import { Button } from "./button.tsx";
import { HiddenBlanks } from "./diff-strips.tsx";

export interface ComparisonProps {
  readonly before: string;
  readonly after: string;
  /** The file. */
  readonly label: string;
  /** Where they differ, for decisions about that; otherwise the texts are compared here. */
  readonly hunks?: readonly LineChange[];
  readonly decide?: (action: "keep" | "revert", hunk: Hunk) => void;
  readonly revert?: ((view: EditorView, hunk: Hunk) => void) | undefined;
  /** Its user marks changes as viewed. */
  readonly onMark?: (view: EditorView) => void;
  /** The element for the ruler of its changes. */
  readonly rulerIn?: () => HTMLElement | undefined;
  /** Unchanged parts are shown. */
  readonly isWhole?: boolean;
  /** Called with its editor, and with none when that is gone. */
  readonly onEditor?: (editor: DiffEditor | undefined) => void;
}

/** A read-only diff of two texts of a file. */
export function Comparison(props: ComparisonProps) {
  const { before: original, after, label, hunks, decide, revert, onMark, rulerIn } = props;
  const { isWhole = false, onEditor } = props;
  const { t, catalog, frontend, preferences } = useReview();
  const host = useRef<HTMLDivElement>(null);
  const snapshot = useRef<DiffSnapshot | undefined>(undefined);
  const wrap = preferences.wrap.value;
  const codeSize = preferences.codeSize.value;
  const hidesBlanks = preferences.hidesBlanks.value;
  // Other line endings would make every line a change, and the agent restores them.
  const whole = useMemo(
    () => (hunks ? original : toComparable(original, after).text),
    [original, after, hunks],
  );
  const before = useMemo(() => (hidesBlanks ? hideBlanks(whole, after) : whole), [whole, after, hidesBlanks]);
  const layout = before === "" || after === "" ? "unified" : preferences.layout.value;
  useEffect(() => {
    const parent = host.current;
    if (!parent) return;
    const abort = new AbortController();
    const scale = measureText(before, after);
    const fileName = frontend.paths.peek().baseName(label);
    let editor: DiffEditor | undefined;
    const show = (comparison: Compared) => {
      editor = createDiffEditor({
        ...{ parent, layout, fileName, comparison, scale, wrap, catalog, decide },
        snapshot: snapshot.current,
        labels: { original: t("$1 before", fileName), draft: t("$1 after", fileName) },
        collapse: !isWhole,
        canEdit: false,
        revert,
        hasBars: decide !== undefined || onMark !== undefined,
        rulerIn: rulerIn?.(),
        onUpdate: ({ isMark }) => {
          if (isMark && editor) onMark?.(editor.view);
        },
      });
      // Which measures it now, and the other side in the next frame: for one frame both take too long.
      editor.views[0]?.elementAtHeight(0);
      onEditor?.(editor);
    };
    if (hunks && before === whole)
      showInTurn(abort.signal, () => show(compareWithinHunks(before, after, hunks, scale)));
    else
      void compareTexts(before, after, scale, abort.signal).then((comparison) =>
        showInTurn(abort.signal, () => show(comparison)),
      );
    return () => {
      abort.abort();
      onEditor?.(undefined);
      snapshot.current = editor?.snapshot() ?? snapshot.current;
      editor?.destroy();
    };
  }, [before, after, hunks, layout, wrap, isWhole, codeSize]);
  return (
    <>
      {before !== whole && <HiddenBlanks />}
      <div ref={host} class={`editor diff diff-${layout}`} />
    </>
  );
}

let former: Promise<unknown> = Promise.resolve();

/** One editor in a frame: while a turn of many files is scrolled, several come near in each. */
function showInTurn(signal: AbortSignal, show: () => void): void {
  former = former.finally(async () => {
    if (signal.aborted) return;
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    if (!signal.aborted) show();
  });
}

interface TextActionsProps {
  readonly text: string;
  /** The file. */
  readonly label: string;
}

/** Buttons that copy and download a text. */
export function TextActions({ text, label }: TextActionsProps) {
  const { t, frontend, copy } = useReview();
  return (
    <>
      <Button onClick={() => void copy(text, t("The text of $1 is in the clipboard.", label))}>
        {t("Copy")}
      </Button>
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
