import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { currentHunk, hunksOf, lineOfCursor, showPosition } from "../editor/hunks.ts";
import type { DiffCommands } from "../model/commands.ts";
import { flip } from "../model/preferences.ts";
import type { WrittenTurn } from "../model/written.ts";
import { useReview } from "../review-context.ts";
import { safeName } from "../text/paths.ts";
import { Button } from "./button.tsx";
import { Arrangement, Steps } from "./diff-head.tsx";
import { Strip } from "./diff-strips.tsx";
import { LineCounts, Time } from "./labels.tsx";
import { TurnButton } from "./many-decisions.tsx";
import { useInFront } from "./proposal-view.tsx";
import { RulerPart, type ShownFile, WrittenFileView } from "./written-file.tsx";

/** All files that one turn has written, one below the other. */
export function WrittenView({ id, isActive }: { readonly id: string; readonly isActive: boolean }) {
  const { t, written } = useReview();
  const turn = written.find(id);
  if (turn) return <Turn turn={turn} isActive={isActive} />;
  const undo = <Button onClick={() => void written.undo()}>{t("Undo the last decision")}</Button>;
  return (
    <Strip level="info" actions={undo}>
      {t("Nothing of this turn waits any more.")}
    </Strip>
  );
}

function Turn({ turn, isActive }: { readonly turn: WrittenTurn; readonly isActive: boolean }) {
  const { t } = useReview();
  const head = useRef<HTMLDivElement>(null);
  const isCollapsed = useSignal(true);
  const rulerParts = useMemo(() => new Map<string, HTMLElement | null>(), [turn.id]);
  const { commands, shown } = useCommands(turn, isActive, head, () => flip(isCollapsed));
  useInFront(isActive, commands, head);
  return (
    <>
      <div
        ref={head}
        class="diff-head"
        role="toolbar"
        tabIndex={-1}
        data-area
        aria-label={t("Decide on what $1 has written", turn.agent)}
      >
        <div class="diff-title">
          <span class="diff-agent">{turn.agent}</span>
          <span class="diff-path">{safeName(turn.title) || t("Written without asking")}</span>
          <span class="quiet">
            <Time at={turn.at} />
          </span>
          <LineCounts added={turn.added} removed={turn.removed} />
        </div>
        <div class="diff-tools">
          <div class="tool-group">
            <span class="quiet diff-progress">
              {turn.files.length === 1 ? t("1 file") : t("$1 files", turn.files.length)}
            </span>
            <Steps commands={commands} isOff={false} />
          </div>
          <Arrangement commands={commands} isCollapsed={isCollapsed.value} canSplit={true} />
          <TurnDecision turn={turn} />
        </div>
      </div>
      <div class="written-body">
        <div class="written-files">
          {turn.files.map((file) => (
            <WrittenFileView
              key={file.id}
              file={file}
              isActive={isActive}
              isWhole={!isCollapsed.value}
              rulerPart={() => rulerParts.get(file.id) ?? undefined}
              onShown={(view) => {
                if (view) shown.set(file.id, view);
                else shown.delete(file.id);
              }}
            />
          ))}
        </div>
        <div class="ruler ruler-of-all" aria-hidden="true">
          {turn.files.map((file) => (
            <RulerPart key={file.id} file={file} onElement={(part) => rulerParts.set(file.id, part)} />
          ))}
        </div>
      </div>
    </>
  );
}

/** Keeps or reverts all of the turn. */
function TurnDecision({ turn }: { readonly turn: WrittenTurn }) {
  const { t, written } = useReview();
  const count = turn.files.length;
  const name = count === 1 ? turn.files[0].label : t("$1 files", count);
  return (
    <div class="tool-group decision">
      <TurnButton
        label={t("Revert the turn …")}
        title={t("Revert $1", name)}
        changes={turn.files}
        run={() => written.decide("revert", turn, name)}
      />
      <Button kind="primary" onDecide={() => void written.decide("keep", turn, name)}>
        {t("Keep all")}
      </Button>
    </div>
  );
}

/** The keys of the view: they act where the cursor is, and go on across files. */
function useCommands(
  turn: WrittenTurn,
  isActive: boolean,
  head: { readonly current: HTMLElement | null },
  toggleUnchanged: () => void,
) {
  const { t, written, announcer, guide } = useReview();
  const { place, current } = written;
  const shown = useMemo(() => new Map<string, ShownFile>(), [turn.id]);
  const files = useRef(turn.files);
  const former = useRef(0);
  files.current = turn.files;
  // A file that is gone leaves the cursor to the one that has come into its place.
  useEffect(() => {
    if (!isActive) return;
    const index = turn.files.findIndex(({ id }) => id === (place.peek()?.file ?? current.peek()));
    if (index >= 0) former.current = index;
    else {
      const next = turn.files[Math.min(former.current, turn.files.length - 1)] ?? turn.files[0];
      place.value = { file: next.id, hunk: 0 };
    }
  }, [turn, isActive, current.value]);
  const commands = useMemo((): DiffCommands => {
    const here = () => files.current.find(({ id }) => id === current.peek()) ?? files.current[0];
    const viewOf = (id: string) => shown.get(id)?.view;
    const goTo = (direction: 1 | -1) => {
      const file = here();
      const view = viewOf(file.id);
      const hunks = view ? hunksOf(view.state) : [];
      const at = view?.state.selection.main.head ?? 0;
      const next =
        direction > 0
          ? hunks.find(({ from }) => from > at)
          : hunks.findLast(({ to, from }) => Math.max(from, to) < at);
      if (view && next) {
        showPosition(view, next.from);
        announcer.announce(t("Change $1 of $2", next.index + 1, next.total));
        return;
      }
      const { length } = files.current;
      const other = files.current[(files.current.indexOf(file) + direction + length) % length] ?? file;
      place.value = { file: other.id, hunk: direction > 0 ? 0 : Number.MAX_SAFE_INTEGER };
    };
    const decide = (action: "keep" | "revert") => {
      const file = here();
      const view = viewOf(file.id);
      const hunk = view && currentHunk(view.state);
      if (hunk) shown.get(file.id)?.decide?.(action, hunk);
      else if (view) goTo(1);
    };
    const decideFile = (action: "keep" | "revert") => {
      const file = here();
      void written.decide(action, file, file.label);
    };
    return {
      goTo,
      pass: () => decide("keep"),
      revert: () => decide("revert"),
      comment: () => undefined,
      commentOnAll: () => undefined,
      accept: () => decideFile("keep"),
      reject: () => decideFile("revert"),
      open: () => {
        const file = here();
        void guide.openInEditor(file.filePath, lineOfCursor(viewOf(file.id)));
      },
      toggleUnchanged,
      enter: () => viewOf(here().id)?.focus(),
      leave: () => head.current?.focus(),
    };
  }, [turn.id]);
  return { commands, shown };
}
