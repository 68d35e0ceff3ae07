import type { EditorView } from "@codemirror/view";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { withheld } from "../../../companion/src/core/sentences.ts";
import { toBlocks } from "../editor/comparison.ts";
import { type Hunk, hunksOf, lineOfCursor, showPosition } from "../editor/hunks.ts";
import type { FileText, WrittenFile, WrittenTexts } from "../model/api.ts";
import { useReview } from "../review-context.ts";
import { explainFile } from "../text/text-facts.ts";
import { Button } from "./button.tsx";
import { Comparison } from "./comparison.tsx";
import { CopyMenu, toSide } from "./copy-menu.tsx";
import { Strip } from "./diff-strips.tsx";
import { ImageView, imageOfFile } from "./image-view.tsx";
import { LineCounts, PathLabel } from "./labels.tsx";
import { useAnswer } from "./use-answer.ts";
import { KindMark, useRenaming } from "./written-list.tsx";

/** The diff of a file, as long as it is near what the user sees. */
export interface ShownFile {
  readonly view: EditorView;
  /** Undefined where the file is decided as a whole. */
  readonly decide: ((action: "keep" | "revert", hunk: Hunk) => void) | undefined;
}

interface WrittenFileProps {
  readonly file: WrittenFile;
  readonly isActive: boolean;
  /** Unchanged parts are shown. */
  readonly isWhole: boolean;
  /** Of the ruler of all files. */
  readonly rulerPart: () => HTMLElement | undefined;
  readonly onShown: (shown: ShownFile | undefined) => void;
}

/** A file of a turn: what it was, and what the agent has written. */
export function WrittenFileView(props: WrittenFileProps) {
  const { file } = props;
  const { t, api, written, guide, translate } = useReview();
  const root = useRef<HTMLElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const isNear = useNear(root);
  const renaming = useRenaming(file);
  const view = useRef<EditorView | undefined>(undefined);
  // A file that is far away has no editor, and takes the room that it had.
  const height = useRef(estimate(file));
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      if (!entry || entry.contentRect.height === 0) return;
      height.current = entry.contentRect.height;
      props.rulerPart()?.style.setProperty("--height", `${height.current}`);
    });
    if (isNear && body.current) observer.observe(body.current);
    return () => observer.disconnect();
  }, [isNear]);
  const isWanted = written.place.value?.file === file.id;
  useEffect(() => {
    if (!props.isActive || !isWanted) return;
    written.current.value = file.id;
    // Once more when those above it, which turn out to be higher, have pushed it away.
    root.current?.scrollIntoView({ block: "nearest" });
    // Nothing in it has a place for the cursor.
    if (file.withheld !== undefined) written.place.value = undefined;
  }, [props.isActive, isWanted, isNear]);
  const decide = (action: "keep" | "revert") => void written.decide(action, file, file.label);
  const show = (shown: ShownFile | undefined) => {
    view.current = shown?.view;
    props.onShown(shown);
  };
  return (
    <section
      ref={root}
      class={`written-file${written.current.value === file.id ? " written-current" : ""}`}
      style={{ containIntrinsicBlockSize: `auto ${estimate(file)}px` }}
      aria-label={file.label}
      onFocusIn={() => {
        written.current.value = file.id;
      }}
    >
      <div class="written-head">
        <KindMark file={file} />
        <PathLabel path={file.label} title={file.filePath} />
        <CopyMenu
          file={file}
          line={() => lineOfCursor(view.current)}
          {...(file.kind !== "deleted" && {
            open: () => void guide.openInEditor(file.filePath, lineOfCursor(view.current)),
          })}
          {...(file.withheld === undefined && { sides: () => api.written(file.id).then(toSides) })}
        />
        {file.withheld === undefined && <LineCounts added={file.added} removed={file.removed} />}
        <span class="spacer" />
        {file.kind !== "deleted" && (
          <Button kind="quiet" onClick={() => guide.open(file.filePath)}>
            {t("Open the file")}
          </Button>
        )}
        {file.withheld === undefined && <Button onDecide={() => decide("revert")}>{t("Revert")}</Button>}
        <Button onDecide={() => decide("keep")}>{t("Keep")}</Button>
      </div>
      <div ref={body} style={isNear ? undefined : { height: `${height.current}px` }}>
        {file.withheld !== undefined && <Strip level="info">{translate(withheld[file.withheld])}</Strip>}
        {renaming !== undefined && <Strip level="info">{renaming}</Strip>}
        {file.withheld === undefined && isNear && <Texts {...props} onShown={show} height={height.current} />}
      </div>
    </section>
  );
}

/** The texts of a file, once they are there. */
function Texts(props: WrittenFileProps & { readonly height: number }) {
  const { file, isActive, isWhole, rulerPart, onShown, height } = props;
  const { t, api, written, frontend, announcer } = useReview();
  const { answer: texts, trouble } = useAnswer(() => api.written(file.id), [file.id, file.revision]);
  const view = useSignal<EditorView | undefined>(undefined);
  /** The revision that it shows: newer texts come into it only a moment later. */
  const shown = useRef<string | undefined>(undefined);
  const place = written.place.value;
  useEffect(() => {
    if (!isActive || !view.value || place?.file !== file.id || place.notIn === shown.current) return;
    written.place.value = undefined;
    const hunks = hunksOf(view.value.state);
    const hunk = hunks[Math.min(place.hunk, hunks.length - 1)];
    if (!hunk) return;
    showPosition(view.value, hunk.from);
    announcer.announce(`${file.label}: ${t("Change $1 of $2", hunk.index + 1, hunk.total)}`);
  }, [isActive, view.value, place]);
  if (trouble !== undefined) return <Strip level="warning">{trouble}</Strip>;
  if (!texts) return <div style={{ height: `${height}px` }} />;
  const { before, after, hunks, revision } = texts;
  const [from, to] = [textOf(before), textOf(after)];
  if (from === undefined || to === undefined) return <NoTexts texts={texts} file={file} />;
  const decide =
    hunks &&
    ((action: "keep" | "revert", { chunk, index }: Hunk) => {
      const blocks = toBlocks(from, to, hunks);
      // Two changes with an empty line between them are shown as one, and one in parts where white space is hidden.
      const chosen = [...blocks.keys()].filter((at) => touches(blocks[at], chunk));
      const name = t("change $1 of $2", index + 1, file.label);
      void written.decide(action, { id: file.id, revision }, name, { index, hunks: chosen });
    });
  return (
    <div style={{ minHeight: `${view.value ? 0 : height}px` }}>
      <Comparison
        before={from}
        after={to}
        label={frontend.paths.value.baseName(file.label)}
        rulerIn={rulerPart}
        isWhole={isWhole}
        {...(hunks && decide && { hunks, decide })}
        onEditor={(editor) => {
          shown.current = revision;
          view.value = editor?.view;
          onShown(editor && { view: editor.view, decide });
        }}
      />
    </div>
  );
}

const toSides = ({ before, after }: WrittenTexts) => [toSide(before), toSide(after)] as const;

/** A change of what is no text. */
function NoTexts({
  texts: { before, after },
  file,
}: {
  readonly texts: WrittenTexts;
  readonly file: WrittenFile;
}) {
  const { t } = useReview();
  const images = [
    { label: t("Before"), source: imageOfFile(before, file.label) },
    { label: t("Written"), source: imageOfFile(after, file.label) },
  ].flatMap(({ label, source }) => (source ? { label, source } : []));
  if (images.length > 0) return <ImageView images={images} />;
  const other = [after, before].find((file) => file.kind !== "text");
  return <Strip level="info">{other && explainFile(other, t)}</Strip>;
}

/** @returns undefined when it is no text */
const textOf = (file: FileText): string | undefined =>
  file.kind === "text" ? file.text : file.kind === "missing" ? "" : undefined;

type Lines = Pick<Hunk["chunk"], "fromB" | "toB">;

/** Lines in which nothing has changed part one block from the next. */
const touches = (block: Lines | undefined, { fromB, toB }: Lines) =>
  block !== undefined && block.fromB <= toB && block.toB >= fromB;

/** Its part of the ruler of all files: a mark until its editor, if it has one, draws the changes there. */
export function RulerPart({
  file,
  onElement,
}: {
  readonly file: WrittenFile;
  readonly onElement: (part: HTMLElement | null) => void;
}) {
  const { written } = useReview();
  const kind = file.removed === 0 ? "added" : file.added === 0 ? "removed" : "changed";
  return (
    // biome-ignore lint/a11y: the keys reach all files
    <div
      ref={onElement}
      class="ruler-part"
      style={{ "--height": `${estimate(file)}` }}
      onClick={({ currentTarget }) => {
        written.current.value = file.id;
        if (!currentTarget.querySelector(".ruler")) written.place.value = { file: file.id, hunk: 0 };
      }}
    >
      <div class={`ruler-mark ruler-${kind}`} />
    </div>
  );
}

/** Pixels, before it is drawn: its changed lines, and some around each. */
const estimate = ({ added, removed }: WrittenFile): number => Math.min(20 * (added + removed) + 160, 1200);

/** Whether an element is so close to what the user sees that it has to be drawn. */
function useNear(root: { readonly current: HTMLElement | null }): boolean {
  const isNear = useSignal(false);
  useEffect(() => {
    if (!root.current) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        isNear.value = entry?.isIntersecting ?? false;
      },
      { root: root.current.parentElement, rootMargin: "400px 0px" },
    );
    observer.observe(root.current);
    return () => observer.disconnect();
  }, []);
  return isNear.value;
}
