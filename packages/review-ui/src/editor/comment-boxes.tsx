import { getChunks, getOriginalDoc } from "@codemirror/merge";
import { type EditorState, RangeSetBuilder, StateEffect, StateField, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import type { Sentence, Translate } from "../language/language.ts";
import type { Comment } from "../model/api.ts";
import { type CommentedLines, type ProposalComments, placeOf } from "../model/proposal-comments.ts";
import { isOfInputMethod } from "../model/user-focus.ts";
import { BarButton, DrawnWidget } from "./drawn-widget.tsx";
import { phrase } from "./phrase.ts";
import { commentPositions } from "./ruler.ts";

/** The comments of one side, and the one whose text is being written. */
interface ShownComments {
  readonly list: readonly Comment[];
  readonly open: string | undefined;
}

interface Placed {
  readonly comment: Comment;
  readonly isOpen: boolean;
  /** In the first and in the last line. */
  readonly from: number;
  readonly to: number;
}

export type CommentActions = Pick<ProposalComments, "edit" | "write" | "finish" | "remove">;

/** Boxes below the lines of one editor that have comments. */
export function createCommentBoxes(side: Comment["side"], actions: CommentActions, onLeave: () => void) {
  const setComments = StateEffect.define<ShownComments>();
  const field = StateField.define<{ readonly placed: readonly Placed[]; readonly boxes: DecorationSet }>({
    create: () => ({ placed: [], boxes: Decoration.none }),
    update: (value, transaction) => {
      let { placed } = value;
      const { changes, docChanged, state, effects } = transaction;
      if (docChanged && placed.length > 0) {
        const isOther = textOf(state, side) !== state.doc;
        const move = (at: number) => (isOther ? at : changes.mapPos(at, -1));
        placed = placed.map((one) => ({ ...one, from: move(one.from), to: move(one.to) }));
      }
      for (const effect of effects) {
        if (effect.is(setComments)) placed = place(effect.value, side, textOf(state, side));
      }
      return placed === value.placed
        ? value
        : { placed, boxes: toBoxes(placed, state, side, actions, onLeave) };
    },
    provide: (self) => EditorView.decorations.from(self, ({ boxes }) => boxes),
  });
  const linesBetween = (state: EditorState, one: number, other: number): CommentedLines => {
    const doc = textOf(state, side);
    const lineOf = (number: number) => doc.line(Math.min(number, doc.lines));
    const [first, last] = [lineOf(Math.min(one, other)), lineOf(Math.max(one, other))];
    const quote = doc.sliceString(first.from, last.to);
    return { side, startLine: first.number, endLine: last.number, quote };
  };
  return {
    extension: [
      field,
      commentPositions.of((state) => {
        const positions: number[] = [];
        state.field(field).boxes.between(0, state.doc.length, (at) => void positions.push(at));
        return positions;
      }),
    ],
    show: (view: EditorView, shown: ShownComments) => {
      const before = fieldOf(view);
      view.dispatch({ effects: setComments.of(shown) });
      const now = fieldOf(view);
      // At once: the next key belongs to the comment.
      if (now !== before) now?.focus();
    },
    /** Where the lines are now, by the comments' ids. */
    places: (state: EditorState) =>
      new Map(
        state.field(field).placed.map(({ comment, from, to }) => {
          const doc = textOf(state, side);
          return [comment.id, linesBetween(state, doc.lineAt(from).number, doc.lineAt(to).number)];
        }),
      ),
    /** The lines that are selected. */
    selectedLines: (state: EditorState) => {
      const { from, to } = state.selection.main;
      const last = state.doc.lineAt(to);
      // A selection that ends before the first character of a line does not hold that line.
      const end = to > from && to === last.from ? last.number - 1 : last.number;
      return linesBetween(state, state.doc.lineAt(from).number, end);
    },
    /** From a line on to another one, in either order. */
    linesBetween,
  };
}

function place({ list, open }: ShownComments, side: Comment["side"], doc: Text): readonly Placed[] {
  return list
    .filter((comment) => comment.side === side && comment.startLine > 0)
    .map((comment) => ({
      comment,
      isOpen: comment.id === open,
      from: doc.line(Math.min(comment.startLine, doc.lines)).from,
      to: doc.line(Math.min(comment.endLine, doc.lines)).to,
    }));
}

function toBoxes(
  placed: readonly Placed[],
  state: EditorState,
  side: Comment["side"],
  actions: CommentActions,
  onLeave: () => void,
): DecorationSet {
  const doc = textOf(state, side);
  const builder = new RangeSetBuilder<Decoration>();
  for (const one of [...placed].sort((a, b) => a.to - b.to)) {
    const [startLine, endLine] = [doc.lineAt(one.from).number, doc.lineAt(one.to).number];
    const { comment, isOpen } = one;
    const t: Translate = (sentence, ...values) => phrase(state, sentence, ...values);
    const place = placeOf(t, { startLine, endLine });
    const widget = new DrawnWidget({
      // A field in which the user writes stays the same one.
      key: [comment.id, isOpen, startLine, endLine, isOpen || comment.text],
      draw: (view) => (
        <CommentBox
          key={`${comment.id} ${place}`}
          {...{ t, place, comment, isOpen, actions, onLeave }}
          onFocus={() => holdLine(view, side, endLine)}
          onResize={() => view.requestMeasure()}
        />
      ),
    });
    const to = Math.min(one.to, doc.length);
    const { at, order } = doc === state.doc ? { at: doc.lineAt(to).to, order: 1 } : belowRemoved(state, to);
    builder.add(at, at, Decoration.widget({ widget, block: true, side: order }));
  }
  return builder.finish();
}

/** The text whose lines a side's comments are on. The unified view has that of the original in no editor. */
function textOf(state: EditorState, side: Comment["side"]): Text {
  return side === "original" && getChunks(state)?.side === "b" ? getOriginalDoc(state) : state.doc;
}

/** Where the unified view has a line of the original: below the removed lines, or below an equal line. */
function belowRemoved(state: EditorState, at: number): { readonly at: number; readonly order: number } {
  let [equalA, equalB] = [0, 0];
  for (const { fromA, toA, fromB, toB } of getChunks(state)?.chunks ?? []) {
    if (at < fromA) break;
    // Between the removed lines, which come at -1, and the line below.
    if (at < toA) return { at: Math.min(fromB, state.doc.length), order: -0.5 };
    [equalA, equalB] = [toA, toB];
  }
  return { at: state.doc.lineAt(Math.min(equalB + at - equalA, state.doc.length)).to, order: 1 };
}

interface CommentBoxProps {
  readonly t: Translate;
  /** What it is on, for people. */
  readonly place: string;
  readonly comment: Comment;
  readonly isOpen: boolean;
  readonly actions: CommentActions;
  readonly onLeave: () => void;
  readonly onFocus?: () => void;
  readonly onResize?: () => void;
}

export function CommentBox(props: CommentBoxProps) {
  const { t, place, comment, isOpen, actions, onLeave, onFocus, onResize } = props;
  const { id, text } = comment;
  const button = (name: Sentence, onClick: () => void) => (
    <BarButton label={`${t(name)}: ${place}`} onClick={onClick}>
      {t(name)}
    </BarButton>
  );
  const close = () => {
    actions.finish();
    onLeave();
  };
  const remove = () => {
    actions.remove(id);
    onLeave();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isDone = event.key === "Escape" || (event.key === "Enter" && (event.ctrlKey || event.metaKey));
    if (!isDone || isOfInputMethod(event)) return;
    event.preventDefault();
    close();
  };
  return (
    <div class="comment-row">
      <section class="comment-box" aria-label={place}>
        <div class="comment-head">
          <span class="grow quiet small">{place}</span>
          {isOpen ? button("Done", close) : button("Edit", () => actions.edit(id))}
          {button("Delete", remove)}
        </div>
        {isOpen ? (
          <textarea
            ref={moveToEnd}
            class="comment-field"
            defaultValue={text}
            rows={rowsOf(text)}
            aria-label={place}
            data-own-escape
            placeholder={t("What should be different?")}
            {...(onFocus && { onFocus })}
            onInput={({ currentTarget: field }) => {
              actions.write(id, field.value);
              field.rows = rowsOf(field.value);
              onResize?.();
            }}
            onKeyDown={onKeyDown}
          />
        ) : (
          <p class="comment-text">{text}</p>
        )}
      </section>
    </div>
  );
}

/** The field of the open comment, if that is drawn. */
function fieldOf({ contentDOM }: EditorView): HTMLTextAreaElement | undefined {
  return contentDOM.querySelector<HTMLTextAreaElement>(".comment-field") ?? undefined;
}

/** Moves the cursor to a line. Its editor draws it from then on, wherever the user scrolls, with the field below it. */
function holdLine(view: EditorView, side: Comment["side"], number: number): void {
  const text = textOf(view.state, side);
  const line = text.line(Math.min(number, text.lines));
  const at = text === view.state.doc ? undefined : belowRemoved(view.state, line.from).at;
  const { from, to } = at === undefined ? line : view.state.doc.lineAt(at);
  const { head } = view.state.selection.main;
  if (head < from || head > to) view.dispatch({ selection: { anchor: to } });
}

/** Where the user goes on writing. */
const moveToEnd = (field: HTMLTextAreaElement | null) =>
  field?.setSelectionRange(field.value.length, field.value.length);

/** As high as its text, up to ten lines. */
const rowsOf = (text: string) => Math.min(10, Math.max(3, text.split("\n").length));
