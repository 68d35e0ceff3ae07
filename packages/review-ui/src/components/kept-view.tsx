import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { createDiffEditor } from "../editor/diff-editor.ts";
import { explainError } from "../model/api.ts";
import type { KeptTexts } from "../model/kept-edits.ts";
import { useReview } from "../review-context.ts";
import { explainFile } from "../text/explain-file.ts";
import { safeName } from "../text/safe-name.ts";
import { measureText } from "../text/text-scale.ts";
import { KeptActions } from "./kept-actions.tsx";
import { Strip } from "./strip.tsx";

/** The user's version of a file beside what is on disk. */
export function KeptView({ id }: { readonly id: string }) {
  const { kept } = useReview();
  const texts = useSignal<KeptTexts | undefined>(undefined);
  const trouble = useSignal<string | undefined>(undefined);
  const edits = kept.find(id);
  const read = async () => {
    try {
      texts.value = await kept.read(id);
      trouble.value = undefined;
    } catch (error) {
      trouble.value = explainError(error);
    }
  };
  useEffect(() => void read(), [id]);
  if (!edits) return <Strip level="info">This version is not kept any more.</Strip>;
  return (
    <>
      <div class="diff-head">
        <div class="diff-title">
          <span class="diff-agent">Your version</span>
          <bdi class="diff-path" title={safeName(edits.filePath)}>
            {edits.label}
          </bdi>
          <span
            class="badge"
            title={`The proposal of ${edits.agent} was settled without it: ${edits.reason}.`}
          >
            not written
          </span>
        </div>
        <div class="diff-tools">
          <KeptActions edits={edits} isCompared />
        </div>
      </div>
      {trouble.value && <Strip level="warning">{trouble.value}</Strip>}
      <Strip level="info">
        What is on disk is marked −, your version +. {edits.agent} did not take it: {edits.reason}.
      </Strip>
      {texts.value && texts.value.onDisk.kind !== "text" && (
        <Strip level="warning">{explainFile(texts.value.onDisk)}</Strip>
      )}
      {texts.value && <Comparison texts={texts.value} label={edits.label} />}
    </>
  );
}

function Comparison({ texts, label }: { readonly texts: KeptTexts; readonly label: string }) {
  const { door, preferences } = useReview();
  const host = useRef<HTMLDivElement>(null);
  const wrap = preferences.wrap.value;
  const before = texts.onDisk.kind === "text" ? texts.onDisk.text : "";
  const layout = before === "" ? "unified" : preferences.layout.value;
  useEffect(() => {
    if (!host.current) return;
    const editor = createDiffEditor({
      parent: host.current,
      layout,
      fileName: door.paths.peek().baseName(label),
      original: before,
      draft: texts.mine,
      scale: measureText(before, texts.mine),
      wrap,
      collapse: true,
      canEdit: false,
      canTakeBack: false,
      kept: [],
      onUpdate: () => undefined,
    });
    return () => editor.destroy();
  }, [texts, layout, wrap]);
  return <div ref={host} class={`editor diff diff-${layout}`} />;
}
