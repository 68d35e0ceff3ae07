import type { DidChangeTextDocumentParams, TextDocumentItem } from "vscode-languageserver";
import { Recent } from "./recent.ts";

/** What an editor tells of its documents. */
export interface DocumentListener {
  opened(document: TextDocumentItem): void;
  changed(change: DidChangeTextDocumentParams): void;
  closed(uri: string): void;
}

/** So much later than what was sent after it a message may come, in milliseconds. */
const lateness = 1000;

/**
 * Tells in the right order what an editor tells in any: Helix 25.01 on a busy machine sends that a file was closed before
 * it sends that it was opened, if both were done in one moment. Of changes their versions tell the order.
 */
export function putInOrder(listener: DocumentListener, now: () => number = Date.now): DocumentListener {
  const open = new Set<string>();
  const earlyChanges = new Recent<DidChangeTextDocumentParams>(lateness, now);
  const earlyClosings = new Recent<undefined>(lateness, now);

  function changed(change: DidChangeTextDocumentParams): void {
    const { uri } = change.textDocument;
    if (open.has(uri)) listener.changed(change);
    else earlyChanges.add(uri, change);
  }

  function closed(uri: string): void {
    if (open.delete(uri)) listener.closed(uri);
    else earlyClosings.add(uri, undefined);
  }

  return {
    opened(document) {
      const { uri, version } = document;
      open.add(uri);
      listener.opened(document);
      for (const change of earlyChanges.take(uri)) {
        // The others are in the text that was sent.
        if (change.textDocument.version > version) changed(change);
      }
      if (earlyClosings.take(uri).length > 0) closed(uri);
    },
    changed,
    closed,
  };
}
