import type { EditorView } from "@codemirror/view";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { createFileEditor, type FileEditor } from "../editor/file-editor.ts";
import { showPlace } from "../editor/place.ts";
import { inViews } from "../editor/searched.ts";
import type { Translate } from "../language/language.ts";
import type { FileText, LineChange, WrittenFile } from "../model/api.ts";
import { tabId } from "../model/tabs.ts";
import { useReview } from "../review-context.ts";
import { safeName } from "../text/paths.ts";
import { compareForm, explainFile } from "../text/text-facts.ts";
import { explainScale, measureText } from "../text/text-scale.ts";
import { Button } from "./button.tsx";
import { CopyMenu } from "./copy-menu.tsx";
import { FormBadges } from "./diff-badges.tsx";
import { Strip } from "./diff-strips.tsx";
import { FindBar } from "./find-bar.tsx";
import { ImageView, imageOfFile } from "./image-view.tsx";
import { Badge, CutText } from "./labels.tsx";
import { RenderButton, TextParts } from "./rendering.tsx";
import { useAnswer } from "./use-answer.ts";

/** A read-only file. Agents receive its cursor and selection. */
export function FileView({ path, isActive }: { readonly path: string; readonly isActive: boolean }) {
  const { t, frontend, context, guide } = useReview();
  const { file, trouble } = useFile(path);
  const text = file?.kind === "text" ? file.text : undefined;
  const label = frontend.paths.value.labelPath(path, frontend.roots.value);
  const written = frontend.written.value.filter((one) => one.label === label);
  const badges = text === undefined ? [] : compareForm(undefined, text, t);
  const fileName = frontend.paths.value.baseName(path);
  const image = imageOfFile(file, fileName);
  const isShown = file?.kind !== "text" && image !== undefined;
  const strip = trouble ?? (file && !isShown ? describe(file, t) : undefined);
  return (
    <>
      <div class="view-head bar">
        <span class="cut-off" title={safeName(path)}>
          <CutText text={label} end={32} />
        </span>
        <FormBadges badges={badges} />
        <CopyMenu
          file={{ label, outsideRoots: false }}
          line={() => context.line(path)}
          open={() => void guide.openInEditor(path)}
        />
        <span class="grow" />
        <RenderButton fileName={fileName} />
        <WrittenButton file={written[0]} />
        <SharedState path={path} />
        <SendButton path={path} />
      </div>
      {strip && <Strip level={trouble ? "warning" : "info"}>{strip}</Strip>}
      <ImageView sources={[[fileName, image]]} />
      {text !== undefined && <TextEditor {...{ path, text, written, isActive }} />}
    </>
  );
}

/** Leads to what an agent has made of the file. */
function WrittenButton({ file }: { readonly file: WrittenFile | undefined }) {
  const { t, written } = useReview();
  if (!file) return null;
  return <Button onClick={() => written.open(file)}>{t("Show what $1 has written", file.agent)}</Button>;
}

/** For a connected agent. */
function SendButton({ path }: { readonly path: string }) {
  const { t, references } = useReview();
  if (!references.isHeard.value) return null;
  const title = t("Put a reference to the file, or to what is selected in it, into the agent's prompt");
  return (
    <Button title={title} onClick={() => references.sendSelection(path)}>
      {t("Send to agent")}
    </Button>
  );
}

/** Whether the file is shared with agents. */
function SharedState({ path }: { readonly path: string }) {
  const { t, frontend } = useReview();
  const sent = frontend.status.value;
  if (sent.excluded.includes(path)) {
    const title = t(
      "It is excluded, by its name or by git. Agents do not receive its name, cursor or selection.",
    );
    return (
      <Badge kind="warning" title={title}>
        {t("read only · not shared with agents")}
      </Badge>
    );
  }
  return (
    <span class="quiet">
      {t(sent.paused ? "read only · sharing is paused" : "read only · shared with your agents")}
    </span>
  );
}

interface TextEditorProps {
  readonly path: string;
  readonly text: string;
  /** What agents have made of it and nobody has looked at. */
  readonly written: readonly WrittenFile[];
  readonly isActive: boolean;
}

function TextEditor({ path, text, written, isActive }: TextEditorProps) {
  const { t, catalog, frontend, context, guide, preferences, tabs, places } = useReview();
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<FileEditor | null>(null);
  const view = useSignal<EditorView | undefined>(undefined);
  const fileName = frontend.paths.value.baseName(path);
  const wrap = preferences.wrap.value;
  const codeSize = preferences.codeSize.value;
  useEffect(() => {
    if (!host.current) return;
    const own = createFileEditor({
      parent: host.current,
      fileName,
      text,
      wrap,
      onPosition: (position) => context.setPosition(path, position),
      t,
      catalog,
    });
    editor.current = own;
    view.value = own.view;
    const tab = tabId({ kind: "file", subject: path });
    const place = places.of(tab);
    if (place) showPlace(own.view, place);
    const stopWatching = places.watch(tab, own.view, host.current);
    context.setPosition(path, own.position());
    return () => {
      stopWatching();
      own.destroy();
    };
  }, [path, codeSize]);
  useEffect(() => editor.current?.setText(text), [text]);
  const marks = useMarks(written, text);
  useEffect(() => editor.current?.setWritten(marks), [marks, codeSize]);
  useEffect(() => editor.current?.setWrap(wrap), [wrap]);
  const isWanted = tabs.focusWanted.value === tabId({ kind: "file", subject: path });
  useEffect(() => {
    if (isActive) editor.current?.view.requestMeasure();
    if (!isActive || !isWanted) return;
    editor.current?.view.focus();
    tabs.focusWanted.value = undefined;
  }, [isActive, isWanted]);
  const position = guide.wanted.value?.path === path ? guide.wanted.value : undefined;
  useEffect(() => {
    // An invisible editor cannot scroll.
    if (!isActive || position === undefined) return;
    editor.current?.goTo(position.line, position.character);
    guide.wanted.value = undefined;
  }, [isActive, position]);
  return (
    <>
      <FindBar
        searched={() => inViews(() => (editor.current ? [editor.current.view] : []))}
        isActive={isActive}
      />
      <TextParts kind="editor" {...{ host, text, fileName, view: view.value }} />
    </>
  );
}

const none: readonly LineChange[] = [];

/** Where agents have written a text. */
function useMarks(written: readonly WrittenFile[], text: string): readonly LineChange[] {
  const { api } = useReview();
  const filePath = written[0]?.filePath;
  const revisions = written.map(({ revision }) => revision).join(" ");
  const read = async () => (filePath === undefined ? none : api.marks(filePath).catch(() => none));
  return useAnswer(read, [filePath, revisions, text]).answer ?? none;
}

function useFile(path: string) {
  const { api, stamps, connection } = useReview();
  const isOpen = connection.state.value === "open";
  const inputs = [path, stamps.changes(path).value, isOpen];
  const { answer: file, trouble } = useAnswer(() => api.file(path), inputs);
  return { file, trouble: isOpen ? trouble : undefined };
}

function describe(file: FileText, t: Translate): string | undefined {
  if (file.kind !== "text") return explainFile(file, t);
  const inexact = file.exact
    ? undefined
    : t("The file is not valid UTF-8: some of its characters are shown as �.");
  return [inexact, explainScale(measureText(file.text), "file", t)].filter(Boolean).join(" ") || undefined;
}
