import { useSignal } from "@preact/signals";
import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { currentHunk, nextHunk, showPosition } from "../editor/hunks.ts";
import type { DiffCommands } from "../model/commands.ts";
import { flip } from "../model/preferences.ts";
import { useReview } from "../review-context.ts";
import { Arrangement, Steps } from "./diff-head.tsx";
import { FindBar } from "./find-bar.tsx";
import { LineCounts } from "./labels.tsx";
import { useInFront } from "./proposal-view.tsx";
import { RulerPart, type ScrolledFile, type ScrollPart, type ShownFile } from "./scroll-file.tsx";
import { inScroll } from "./scroll-search.ts";

interface FileScrollProps<File extends ScrolledFile> {
  /** Of what it shows. */
  readonly id: string;
  readonly isActive: boolean;
  readonly files: readonly File[];
  /** Of its head. */
  readonly label: string;
  readonly title: ComponentChildren;
  /** Buttons for all of it. */
  readonly decision: ComponentChildren;
  readonly view: ComponentType<{ readonly file: File; readonly part: ScrollPart }>;
  /** Before and after the change. */
  readonly read: (file: string) => Promise<readonly [string, string]>;
  /** Keys: they act in the file of the cursor. */
  readonly accept: (file: File) => void;
  readonly reject: (file: File) => void;
  readonly isViewed: (file: File) => boolean;
  readonly toggleViewed: (file: File, shown: ShownFile | undefined) => void;
  /** Shows it where it can be edited and commented on. */
  readonly openAlone?: (file: File) => void;
}

/** Several files, one below the other. */
export function FileScroll<File extends ScrolledFile>(props: FileScrollProps<File>) {
  const { id, isActive, files, view: View } = props;
  const { t, scroll } = useReview();
  const head = useRef<HTMLDivElement>(null);
  const isCollapsed = useSignal(true);
  const rulerParts = useMemo(() => new Map<string, HTMLElement | null>(), [id]);
  const { commands, shown, latest } = useCommands(props, head, () => flip(isCollapsed));
  useCursor(props);
  useInFront(isActive, commands, head);
  const sum = (count: (file: File) => number) => files.reduce((all, file) => all + count(file), 0);
  return (
    <>
      <div ref={head} class="diff-head bar" role="toolbar" tabIndex={-1} data-area aria-label={props.label}>
        <div class="diff-title row">
          {props.title}
          <LineCounts added={sum(({ added }) => added)} removed={sum(({ removed }) => removed)} />
        </div>
        <div class="diff-tools row">
          <div class="tool-group">
            <span class="quiet diff-progress">
              {files.length === 1 ? t("1 file") : t("$1 files", files.length)}
            </span>
            <Steps commands={commands} isOff={false} />
          </div>
          <Arrangement commands={commands} isCollapsed={isCollapsed.value} canSplit={true} />
          <div class="tool-group decision">{props.decision}</div>
        </div>
      </div>
      <FindBar
        isActive={isActive}
        searched={() =>
          inScroll({
            scroll,
            files: () => latest.current.files.map(({ id }) => id),
            read: props.read,
            view: (file) => shown.get(file)?.view,
            leave: () => commands.leave(),
          })
        }
      />
      <div class="scroll-body">
        <div class="scroll-files">
          {files.map((file) => (
            <View
              key={file.id}
              file={file}
              part={{
                isActive,
                isWhole: !isCollapsed.value,
                line: () => shown.get(file.id)?.line() ?? 1,
                isViewed: props.isViewed(file),
                toggleViewed: () => props.toggleViewed(file, shown.get(file.id)),
                rulerPart: () => rulerParts.get(file.id) ?? undefined,
                onShown: (view) => {
                  if (view) shown.set(file.id, view);
                  else shown.delete(file.id);
                },
              }}
            />
          ))}
        </div>
        <div class="ruler ruler-of-all" aria-hidden="true">
          {files.map((file) => (
            <RulerPart key={file.id} file={file} onElement={(part) => rulerParts.set(file.id, part)} />
          ))}
        </div>
      </div>
    </>
  );
}

/** A file that is gone leaves the cursor to the one that has come into its place. */
function useCursor({ isActive, files }: Pick<FileScrollProps<ScrolledFile>, "isActive" | "files">): void {
  const { place, current } = useReview().scroll;
  const former = useRef(0);
  useEffect(() => {
    if (!isActive) return;
    const index = files.findIndex((file) => file.id === (place.peek()?.file ?? current.peek()));
    if (index >= 0) former.current = index;
    else {
      const next = files[Math.min(former.current, files.length - 1)];
      if (next) place.value = { file: next.id, hunk: 0 };
    }
  }, [files, isActive, current.value]);
}

/** The keys of the view: they act where the cursor is, and go on across files. */
function useCommands<File extends ScrolledFile>(
  props: FileScrollProps<File>,
  head: { readonly current: HTMLElement | null },
  toggleUnchanged: () => void,
) {
  const { id } = props;
  const { t, scroll, announcer, guide } = useReview();
  const { place, current } = scroll;
  const shown = useMemo(() => new Map<string, ShownFile>(), [id]);
  const latest = useRef(props);
  latest.current = props;
  const commands = useMemo((): DiffCommands => {
    /** Does something with the file of the cursor. */
    const inFile = (run: (file: File, shown: ShownFile | undefined) => void) => {
      const all = latest.current.files;
      const file = all.find((one) => one.id === current.peek()) ?? all[0];
      if (file) run(file, shown.get(file.id));
    };
    const goTo = (direction: 1 | -1) =>
      inFile((file, here) => {
        const next = here && nextHunk(here.view.state, direction);
        if (!next) return goToFile(file, direction);
        showPosition(here.view, next.from);
        announcer.announce(t("Change $1 of $2", next.index + 1, next.total));
      });
    const goToFile = (file: File, direction: 1 | -1) => {
      const all = latest.current.files;
      const other = all[(all.indexOf(file) + direction + all.length) % all.length] ?? file;
      place.value = { file: other.id, hunk: direction > 0 ? 0 : Number.MAX_SAFE_INTEGER };
    };
    const openAlone = () => inFile((file) => latest.current.openAlone?.(file));
    return {
      goTo,
      pass: () =>
        inFile((_file, here) => {
          const hunk = here && currentHunk(here.view.state);
          if (here && (!hunk || here.pass(hunk))) goTo(1);
        }),
      passAll: () =>
        inFile((file, here) => {
          const isNews = !latest.current.isViewed(file);
          latest.current.toggleViewed(file, here);
          if (isNews) goToFile(file, 1);
        }),
      revert: () =>
        inFile((_file, here) => {
          const hunk = here && currentHunk(here.view.state);
          if (hunk) here.revert(hunk);
          else if (here) goTo(1);
        }),
      comment: openAlone,
      commentOnAll: openAlone,
      accept: () => inFile((file) => latest.current.accept(file)),
      reject: () => inFile((file) => latest.current.reject(file)),
      open: () => inFile((file, here) => void guide.openInEditor(file.filePath, here?.line())),
      toggleUnchanged,
      enter: () =>
        inFile((file, here) => {
          if (latest.current.openAlone) latest.current.openAlone(file);
          else here?.view.focus();
        }),
      leave: () => head.current?.focus(),
    };
  }, [id]);
  return { commands, shown, latest };
}
