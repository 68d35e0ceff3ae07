import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { describeOutcome, explainReason, rewriteTroubles } from "../../../companion/src/core/sentences.ts";
import type { Sentence, Translate } from "../language/language.ts";
import { explainError, type FileText, type HistoryEntry, type HistoryTexts } from "../model/api.ts";
import { assign } from "../model/preferences.ts";
import { tabId } from "../model/tabs.ts";
import { useReview } from "../review-context.ts";
import { explainFile } from "../text/text-facts.ts";
import { Button, DiscardButton } from "./button.tsx";
import { Comparison, TextActions } from "./comparison.tsx";
import { Strip } from "./diff-strips.tsx";
import { earlierVersion, SentComments } from "./earlier-version.tsx";
import { Badge, LineCounts, TextTitle } from "./labels.tsx";
import { UndoTurn } from "./many-decisions.tsx";
import { useAnswer } from "./use-answer.ts";

/** Two texts of a file, and how the second one is written. */
interface TextPair {
  readonly title: Sentence;
  readonly explanation: string;
  readonly before: string;
  readonly after: string;
  readonly write?: Writing;
}

interface Writing {
  readonly action: "restore" | "undo" | "reapply";
  readonly label: Sentence;
  readonly done: Sentence;
  readonly isOff?: boolean;
}

interface StoredTextProps<Texts> {
  readonly list: "edits" | "history";
  readonly id: string;
  readonly who: string;
  readonly file: { readonly filePath: string; readonly label: string };
  readonly badges: ComponentChildren;
  readonly read: () => Promise<Texts>;
  /** It is read again when one of these is another. */
  readonly inputs: readonly unknown[];
  readonly toPairs: (texts: Texts) => readonly TextPair[];
  readonly toStrips: (texts: Texts) => ComponentChildren;
  readonly tools?: ComponentChildren;
  readonly onWritten?: () => void;
  readonly onDiscard?: () => void;
}

/** A text that the companion stores, compared with others of its file. */
function StoredText<Texts extends { readonly onDisk: FileText }>(props: StoredTextProps<Texts>) {
  const { list, id, who, file, inputs, tools, onWritten, onDiscard } = props;
  const { t, translate, stored, toasts, references } = useReview();
  /** What was tried to write, and why it was refused. */
  const written = useSignal<{ readonly trouble?: string }>({});
  const chosen = useSignal<Sentence | undefined>(undefined);
  const { answer: texts, trouble = written.value.trouble } = useAnswer(props.read, [
    ...inputs,
    written.value,
  ]);
  const pairs = texts ? props.toPairs(texts) : [];
  const pair = pairs.find(({ title }) => title === chosen.value) ?? pairs[0];
  const action = pair?.write;
  const write = async ({ action, done }: Writing) => {
    try {
      await stored.act(list, id, action, texts?.onDisk);
    } catch (error) {
      return assign(written, { trouble: explainError(error) });
    }
    // Its agent knows nothing of it.
    const isHeard = action === "reapply" && references.isHeard.value;
    const send = { label: t("Send to agent"), run: () => references.send(file.filePath) };
    toasts.show({ level: "info", text: t(done, file.label), ...(isHeard && { action: send }) });
    return onWritten ? onWritten() : assign(written, {});
  };
  return (
    <>
      <div class="diff-head bar">
        <TextTitle who={who} file={file}>
          {props.badges}
        </TextTitle>
        <div class="diff-tools row">
          {pairs.length > 1 && (
            <fieldset class="tool-group choice" aria-label={t("What to show")}>
              {pairs.map(({ title }) => (
                <Button
                  key={title}
                  aria-pressed={title === pair?.title}
                  onClick={() => assign(chosen, title)}
                >
                  {t(title)}
                </Button>
              ))}
            </fieldset>
          )}
          {tools}
          {pair && (
            <div class="tool-group">
              <TextActions text={pair.after} label={file.label} />
              {onDiscard && <DiscardButton onDiscard={onDiscard} />}
              {action && (
                <Button
                  kind="primary"
                  disabled={action.isOff}
                  title={t("Writes the file as it is shown")}
                  onDecide={() => void write(action)}
                >
                  {t(action.label)}
                </Button>
              )}
            </div>
          )}
        </div>
      </div>
      {trouble !== undefined && <Strip level="warning">{translate(trouble)}</Strip>}
      {texts && props.toStrips(texts)}
      {pair && <Strip level="info">{pair.explanation}</Strip>}
      {pair && <Comparison before={pair.before} after={pair.after} label={file.label} />}
    </>
  );
}

/** A diff from the file on disk to recovered edits, which can be restored, copied, downloaded or discarded. */
export function RecoveredView({ id }: { readonly id: string }) {
  const { t, translate, api, recovered, stored, tabs } = useReview();
  const edits = recovered.list.value.find((one) => one.id === id);
  if (!edits) return <Strip level="info">{t("These edits have been restored or discarded.")}</Strip>;
  const close = () => tabs.close(tabId({ kind: "recovered", subject: id }));
  const explanation = `${explainReason(edits, translate)} ${t("What is on disk is marked −, your version +.")}`;
  const restore = {
    action: "restore",
    label: "Restore into the file",
    done: "$1 contains your version now.",
  } as const;
  return (
    <StoredText
      list="edits"
      id={id}
      who={t("Your version")}
      file={edits}
      badges={<Badge>{t("recovered")}</Badge>}
      read={() => api.edits(id)}
      inputs={[id]}
      toPairs={({ text, onDisk }) => {
        const isOff = onDisk.kind !== "missing" && !(onDisk.kind === "text" && onDisk.exact);
        const write = { ...restore, isOff };
        return [{ title: "Your version", explanation, before: textOf(onDisk), after: text, write }];
      }}
      toStrips={({ onDisk }) =>
        onDisk.kind !== "text" && <Strip level="warning">{explainFile(onDisk, t)}</Strip>
      }
      onWritten={close}
      onDiscard={() => {
        stored.discard("edits", id);
        close();
      }}
    />
  );
}

/** A decided change: what was proposed, the user's version, and what is on disk now. */
export function HistoryView({ id }: { readonly id: string }) {
  const { t, translate, api, frontend } = useReview();
  const entry = frontend.history.value.find((one) => one.id === id);
  if (!entry) return <Strip level="info">{t("This change is not in the history any more.")}</Strip>;
  const again = frontend.proposals.value.find((proposal) => earlierVersion(proposal, [entry]));
  return (
    <StoredText
      list="history"
      id={id}
      who={entry.agent}
      file={entry}
      badges={
        <>
          <LineCounts {...entry} />
          <Badge>{describeOutcome(entry, translate)}</Badge>
        </>
      }
      read={async () => ({
        ...(await api.history(id)),
        again: again && (await api.proposal(again.id)).proposed,
      })}
      inputs={[id, entry.fileResult, entry.later, again?.id]}
      toPairs={(texts) => pairsOf(entry, texts, t)}
      toStrips={(texts) => (
        <>
          <Impossible texts={texts} />
          {texts.comments && <SentComments comments={texts.comments} />}
        </>
      )}
      tools={entry.turn !== undefined && <UndoTurn turn={entry.turn} />}
    />
  );
}

/** Why nothing more can be done with a change, unless something can. */
function Impossible({ texts: { undo, reapply } }: { readonly texts: HistoryTexts }) {
  const { t } = useReview();
  const [plan, cannot] = undo
    ? ([undo, "This change cannot be undone here."] as const)
    : ([reapply, "This change cannot be accepted here."] as const);
  if (reapply.kind === "change" || plan.kind !== "impossible") return null;
  return (
    <Strip level="info">
      {t(cannot)} {t(rewriteTroubles[plan.reason])}
    </Strip>
  );
}

function pairsOf(
  { outcome }: HistoryEntry,
  { again, ...texts }: HistoryTexts & { readonly again: string | undefined },
  t: Translate,
): readonly TextPair[] {
  const { proposed, accepted = proposed, edited = accepted, undo, reapply } = texts;
  const [before, onDisk] = [texts.before ?? "", textOf(texts.onDisk)];
  const isAccepted = outcome === "accepted";
  const pairs: TextPair[] = [];
  const add = (title: Sentence, from: string, to: string, explanation: Sentence, write?: Writing) =>
    pairs.push({ title, explanation: t(explanation), before: from, after: to, ...(write && { write }) });
  if (again !== undefined)
    add("Proposed again", proposed, again, "The earlier version is marked −, the one that waits +.");
  add("Proposed", before, proposed, "The file as it was is marked −, the proposal +.");
  if (edited !== proposed) add("Your version", proposed, edited, "The proposal is marked −, your version +.");
  if (isAccepted)
    add("On disk now", accepted, onDisk, "What was accepted is marked −, what is on disk now +.");
  else add("On disk now", before, onDisk, "The file as it was is marked −, what is on disk now +.");
  if (undo?.kind === "change") {
    const explanation =
      undo.text === null
        ? "The change made this file: undoing it deletes the file."
        : "What is on disk now is marked −, what undoing writes +. What has changed elsewhere stays.";
    const write = { action: "undo", label: "Undo this change", done: "The change of $1 is undone." } as const;
    add("If undone", onDisk, undo.text ?? "", explanation, write);
  }
  if (reapply.kind === "change") {
    const explanation =
      "What is on disk now is marked −, the file with the change +. What has changed elsewhere stays.";
    const write =
      edited === proposed
        ? ({ label: "Accept it after all", done: "$1 contains the change now." } as const)
        : ({ label: "Accept my version", done: "$1 contains your version now." } as const);
    add("If accepted", onDisk, reapply.text ?? "", explanation, { action: "reapply", ...write });
  }
  return pairs;
}

const textOf = (file: FileText) => (file.kind === "text" ? file.text : "");
