import {
  ChangeSet,
  EditorSelection,
  EditorState,
  type Extension,
  RangeSet,
  type Text,
  Transaction,
  type TransactionSpec,
} from "@codemirror/state";
import { Decoration, EditorView, WidgetType } from "@codemirror/view";
import { countLineEndings, dominantLineEnding, type LineEnding, withLineEnding } from "../text/text-facts.ts";
import { phrase } from "./phrase.ts";
import { visibleDecorations } from "./visible-decorations.ts";

/**
 * Makes the document equal to the text, code unit by code unit. Only "\n" separates lines, so that carriage returns stay
 * and `doc.toString()` returns the original text.
 * @param text determines the line ending of new lines
 */
export function exactText(text: string): Extension {
  return [EditorState.lineSeparator.of("\n"), lineEndGuard(dominantLineEnding(countLineEndings(text)))];
}

/**
 * Protects line endings from the user's edits: a new line gets the text's line ending, and nothing is inserted into a
 * CRLF. Changes that are dispatched with `filter: false` (undo, revert, another page's draft) are exact already.
 * @param ending the line ending of new lines
 */
function lineEndGuard(ending: LineEnding): Extension {
  return EditorState.transactionFilter.of((transaction) => {
    if (transaction.docChanged) return guardChanges(transaction, ending);
    if (!transaction.selection) return transaction;
    const fixed = outsideOfCrlf(transaction.selection, transaction.startState.doc);
    return fixed ? [transaction, { selection: fixed, sequential: true }] : transaction;
  });
}

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

function guardChanges(
  transaction: Transaction,
  ending: LineEnding,
): TransactionSpec | readonly TransactionSpec[] {
  const { doc } = transaction.startState;
  const edits: Edit[] = [];
  let isSame = true;
  transaction.changes.iterChanges((from, to, _fromB, _toB, inserted) => {
    const change = { from, to, insert: inserted.toString() };
    const edit = guardEdit(change, doc, ending);
    if (edit.from !== from || edit.to !== to || edit.insert !== change.insert) isSame = false;
    edits.push(edit);
  }, true);
  if (isSame) return transaction;
  const changes = ChangeSet.of(edits, doc.length, "\n");
  const newDoc = changes.apply(doc);
  const moved = EditorSelection.create(
    transaction.newSelection.ranges.map((range) =>
      EditorSelection.range(
        carryOver(range.anchor, transaction.changes, changes, ending),
        carryOver(range.head, transaction.changes, changes, ending),
      ),
    ),
    transaction.newSelection.mainIndex,
  );
  const userEvent = transaction.annotation(Transaction.userEvent);
  return {
    changes,
    selection: outsideOfCrlf(moved, newDoc) ?? moved,
    effects: transaction.effects,
    scrollIntoView: transaction.scrollIntoView,
    ...(userEvent === undefined ? {} : { userEvent }),
  };
}

function guardEdit({ from, to, insert }: Edit, doc: Text, ending: LineEnding): Edit {
  const start = isInsideCrlf(doc, from) ? from - 1 : from;
  let end = isInsideCrlf(doc, to) ? to - 1 : to;
  // "Delete to the end of the line" at the end of a line deletes the whole line ending.
  if (start === end && from !== to && insert === "") end = to + 1;
  return { from: start, to: Math.max(start, end), insert: withLineEnding(insert, ending) };
}

/** Maps a position after `old` to one after `fresh`, which makes the same edits with other line endings. */
function carryOver(position: number, old: ChangeSet, fresh: ChangeSet, ending: LineEnding): number {
  let found: number | undefined;
  let edit = 0;
  const starts: number[] = [];
  fresh.iterChanges((_fromA, _toA, fromB) => starts.push(fromB), true);
  old.iterChanges((_fromA, _toA, fromB, toB, inserted) => {
    const start = starts[edit++];
    if (found !== undefined || start === undefined || position < fromB || position > toB) return;
    found = start + withLineEnding(inserted.sliceString(0, position - fromB), ending).length;
  }, true);
  return found ?? fresh.mapPos(old.invertedDesc.mapPos(position, 1), 1);
}

function outsideOfCrlf(selection: EditorSelection, doc: Text): EditorSelection | undefined {
  const positions = selection.ranges.flatMap(({ anchor, head }) => [anchor, head]);
  if (!positions.some((position) => isInsideCrlf(doc, position))) return undefined;
  const fix = (position: number) => (isInsideCrlf(doc, position) ? position - 1 : position);
  return EditorSelection.create(
    selection.ranges.map(({ anchor, head }) => EditorSelection.range(fix(anchor), fix(head))),
    selection.mainIndex,
  );
}

function isInsideCrlf(doc: Text, position: number): boolean {
  return position > 0 && position < doc.length && doc.sliceString(position - 1, position + 1) === "\r\n";
}

class BareReturn extends WidgetType {
  override eq(): boolean {
    return true;
  }

  override toDOM({ state }: EditorView): HTMLElement {
    const element = document.createElement("span");
    const mark = document.createElement("span");
    mark.className = "cm-specialChar";
    mark.textContent = "CR";
    mark.title = phrase(state, "Carriage return without a line feed");
    element.append(mark, document.createElement("br"));
    return element;
  }

  override get lineBreaks(): number {
    return 1;
  }
}

const unseen = Decoration.replace({});
const marked = Decoration.replace({ widget: new BareReturn() });

/** Hides a carriage return before a line feed, and shows any other as a marked line break. */
export function carriageReturns(): Extension {
  return [
    visibleDecorations((view) =>
      Decoration.set(findReturns(view).map(({ at, isCrlf }) => (isCrlf ? unseen : marked).range(at, at + 1))),
    ),
    // A CRLF is one unit: the cursor never stops inside.
    EditorView.atomicRanges.of((view) =>
      RangeSet.of(findReturns(view).map(({ at, isCrlf }) => unseen.range(at, at + (isCrlf ? 2 : 1)))),
    ),
  ];
}

function findReturns({ state: { doc }, visibleRanges }: EditorView) {
  return visibleRanges.flatMap(({ from, to }) => {
    const text = doc.sliceString(from, Math.min(doc.length, to + 1));
    const found = [...text.matchAll(/\r(\n)?/g)].map(({ 1: feed, index }) => ({
      at: from + index,
      isCrlf: feed !== undefined,
    }));
    return found.filter(({ at }) => at < to);
  });
}
