import type { Signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useMemo } from "preact/hooks";
import type { DiffEditor } from "../editor/diff-editor.ts";
import { currentHunk, goToHunk, type Hunk, revertHunk, setViewed } from "../editor/hunks.ts";
import type { ProposalReview } from "../model/proposal-review.ts";
import type { DiffCommands } from "../model/review.ts";
import { useReview } from "../review-context.ts";

export interface DiffCommandsUse {
  readonly editor: RefObject<DiffEditor | null>;
  readonly head: RefObject<HTMLElement | null>;
  readonly review: ProposalReview;
  readonly isCollapsed: Signal<boolean>;
  readonly canRevert: boolean;
}

export function useDiffCommands({
  editor,
  head,
  review,
  isCollapsed,
  canRevert,
}: DiffCommandsUse): DiffCommands {
  const { t, controller, announcer } = useReview();
  return useMemo(() => {
    const say = (hunk: Hunk | undefined) => {
      const sentence = hunk?.isViewed ? "Change $1 of $2, viewed" : "Change $1 of $2";
      if (hunk) announcer.announce(t(sentence, hunk.index + 1, hunk.total));
    };
    const goTo = (direction: 1 | -1) => {
      if (editor.current) say(goToHunk(editor.current.view, direction));
    };
    const decide = (decision: "accept" | "reject") => {
      if (!review.isDeciding.value) controller[decision](review.id);
    };
    return {
      goTo,
      toggleViewed: () => {
        const view = editor.current?.view;
        const hunk = view && currentHunk(view.state);
        if (!hunk) return;
        view.dispatch({ effects: setViewed.of({ at: hunk.from, viewed: !hunk.isViewed }) });
        if (!hunk.isViewed) goTo(1);
      },
      revert: () => {
        const view = editor.current?.view;
        const hunk = view && currentHunk(view.state);
        if (!hunk || !canRevert) return;
        revertHunk(view, hunk);
        announcer.announce(t("Change $1 reverted", hunk.index + 1));
      },
      accept: () => decide("accept"),
      reject: () => decide("reject"),
      toggleUnchanged: () => {
        isCollapsed.value = !isCollapsed.value;
      },
      enter: () => editor.current?.view.focus(),
      leave: () => head.current?.focus(),
    };
  }, [editor, head, review, isCollapsed, canRevert, controller, announcer]);
}
