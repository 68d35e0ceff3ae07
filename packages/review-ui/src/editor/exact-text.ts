import {
  ChangeSet,
  EditorSelection,
  EditorState,
  type Extension,
  type Text,
  Transaction,
  type TransactionSpec,
} from "@codemirror/state";
import {
  countLineEndings,
  dominantLineEnding,
  type LineEnding,
  withLineEnding,
} from "../text/line-endings.ts";

/**
 * Makes an editor's document the text itself, code unit by code unit: only "\n" separates its lines, so that a
 * carriage return stays where it was, and `doc.toString()` gives back what was put in.
 * @param text decides what a line that the user adds ends with
 */
export function exactText(text: string): Extension {
  return [EditorState.lineSeparator.of("\n"), lineEndGuard(dominantLineEnding(countLineEndings(text)))];
}

/**
 * Keeps what the user does from breaking line endings: a new line gets the text's own ending, and nothing is put
 * between the two characters of a CRLF. Changes that are dispatched with `filter: false` (undo, revert,
 * another page's draft) are exact already and pass.
 * @param ending what a line that the user adds ends with
 */
export function lineEndGuard(ending: LineEnding): Extension {
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
    const given = { from, to, insert: inserted.toString() };
    const edit = guardEdit(given, doc, ending);
    if (edit.from !== from || edit.to !== to || edit.insert !== given.insert) isSame = false;
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
  // "Delete to the end of the line" at the end of the line: take the whole ending.
  if (start === end && from !== to && insert === "") end = to + 1;
  return { from: start, to: Math.max(start, end), insert: withLineEnding(insert, ending) };
}

/** Where a position after `old` lies after `fresh`, which makes the same edits in another spelling. */
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
  const places = selection.ranges.flatMap(({ anchor, head }) => [anchor, head]);
  if (!places.some((place) => isInsideCrlf(doc, place))) return undefined;
  const fix = (place: number) => (isInsideCrlf(doc, place) ? place - 1 : place);
  return EditorSelection.create(
    selection.ranges.map(({ anchor, head }) => EditorSelection.range(fix(anchor), fix(head))),
    selection.mainIndex,
  );
}

function isInsideCrlf(doc: Text, position: number): boolean {
  return position > 0 && position < doc.length && doc.sliceString(position - 1, position + 1) === "\r\n";
}
