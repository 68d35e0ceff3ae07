import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { explainReason } from "../../../companion/src/core/sentences.ts";
import { type EditsSummary, explainError } from "../model/api.ts";
import { assign } from "../model/preferences.ts";
import type { RecoveredTexts } from "../model/recovered-edits.ts";
import { tabId } from "../model/tabs.ts";
import { isRepeatedClick } from "../model/user-focus.ts";
import { useReview } from "../review-context.ts";
import { safeName } from "../text/paths.ts";
import { explainFile } from "../text/text-facts.ts";
import { Button } from "./button.tsx";
import { Comparison, TextActions } from "./comparison.tsx";
import { Strip } from "./diff-strips.tsx";
import { Badge, HistoryRow, PanelSection, TextTitle, Time } from "./labels.tsx";

/** A diff from the file on disk to recovered edits, which can be restored, copied, downloaded or discarded. */
export function RecoveredView({ id }: { readonly id: string }) {
  const { t, translate, recovered } = useReview();
  const texts = useSignal<RecoveredTexts | undefined>(undefined);
  const trouble = useSignal<string | undefined>(undefined);
  const edits = recovered.find(id);
  const read = async () => {
    try {
      texts.value = await recovered.read(id);
    } catch (error) {
      trouble.value = explainError(error);
    }
  };
  useEffect(() => void read(), [id]);
  if (!edits) return <Strip level="info">{t("These edits have been restored or discarded.")}</Strip>;
  const onDisk = texts.value?.onDisk;
  const onTrouble = (message: string) => {
    trouble.value = message;
    void read();
  };
  return (
    <>
      <div class="diff-head">
        <TextTitle who={t("Your version")} file={edits}>
          <Badge>{t("recovered")}</Badge>
        </TextTitle>
        <div class="diff-tools">
          {texts.value && (
            <RecoveredActions tab={id} edits={edits} texts={texts.value} onTrouble={onTrouble} />
          )}
        </div>
      </div>
      {trouble.value !== undefined && <Strip level="error">{translate(trouble.value)}</Strip>}
      <Strip level="info">
        {explainReason(edits, translate)} {t("What is on disk is marked −, your version +.")}
      </Strip>
      {onDisk && onDisk.kind !== "text" && <Strip level="warning">{explainFile(onDisk, t)}</Strip>}
      {texts.value && (
        <Comparison
          before={texts.value.onDisk.kind === "text" ? texts.value.onDisk.text : ""}
          after={texts.value.mine}
          label={edits.label}
        />
      )}
    </>
  );
}

interface RecoveredActionsProps {
  /** The id by which the tab was opened. */
  readonly tab: string;
  readonly edits: EditsSummary;
  readonly texts: RecoveredTexts;
  /** Called when they could not be restored. */
  readonly onTrouble: (message: string) => void;
}

function RecoveredActions({ tab, edits, texts: { mine, onDisk }, onTrouble }: RecoveredActionsProps) {
  const { t, recovered, fileRequests, tabs, toasts } = useReview();
  const isAsking = useSignal(false);
  const { id, label } = edits;
  const close = () => tabs.close(tabId({ kind: "recovered", subject: tab }));
  const restore = async () => {
    try {
      await fileRequests.write("edits", id, onDisk);
      toasts.show({ level: "info", text: t("$1 contains your version now.", label) });
      close();
    } catch (error) {
      onTrouble(explainError(error));
    }
  };
  const discard = () => {
    recovered.discard(id);
    close();
  };
  const canRestore = onDisk.kind === "missing" || (onDisk.kind === "text" && onDisk.exact);
  return (
    <div class="tool-group">
      <TextActions text={mine} label={label} />
      {isAsking.value ? (
        <>
          <Button onClick={() => assign(isAsking, false)}>{t("Keep it")}</Button>
          <Button kind="danger" onClick={discard}>
            {t("Discard for good")}
          </Button>
        </>
      ) : (
        <Button onClick={() => assign(isAsking, true)}>{t("Discard")}</Button>
      )}
      <Button
        kind="primary"
        disabled={!canRestore}
        title={t("Writes your version, exactly as it is shown, to the file")}
        onClick={() => void restore()}
      >
        {t("Restore into the file")}
      </Button>
    </div>
  );
}

/** The user's edits that no file contains, of this companion and of earlier ones. */
export function EditsList() {
  const { t, recovered } = useReview();
  const isAsking = useSignal(false);
  const list = recovered.list.value;
  if (list.length === 0) return null;
  const discardAll = () => {
    if (isAsking.value) for (const { id } of list) recovered.discard(id);
    isAsking.value = !isAsking.value;
  };
  return (
    <PanelSection id="edits-title" title={t("Recovered edits")} count={list.length}>
      {list.length > 1 && (
        <div class="tool-group">
          {isAsking.value && (
            <Button kind="quiet" onClick={() => assign(isAsking, false)}>
              {t("Keep them")}
            </Button>
          )}
          <Button
            kind={isAsking.value ? "danger" : "quiet"}
            onClick={(event) => {
              if (!isRepeatedClick(event)) discardAll();
            }}
          >
            {isAsking.value ? t("Discard all $1 for good", list.length) : t("Discard all …")}
          </Button>
        </div>
      )}
      <ul class="history">
        {list.map((edits) => (
          <Entry key={edits.id} edits={edits} />
        ))}
      </ul>
    </PanelSection>
  );
}

function Entry({ edits }: { readonly edits: EditsSummary }) {
  const { t, translate, tabs, frontend } = useReview();
  const { id, at, agent, filePath, label } = edits;
  return (
    <HistoryRow
      outcome="lost"
      title={`${safeName(filePath)}\n${t("Compare it with what is on disk")}`}
      onClick={() => tabs.open({ kind: "recovered", subject: id })}
    >
      <span class="history-name">
        {t("Your version of $1 is saved", frontend.paths.value.baseName(label))}
      </span>
      <span class="history-line quiet">
        {[agent, frontend.paths.value.folderPart(label)].filter(Boolean).join(" · ")} · <Time at={at} />
      </span>
      <span class="history-line quiet">{explainReason(edits, translate)}</span>
    </HistoryRow>
  );
}
