import type { Connection, Position } from "vscode-languageserver";
import type { Documents } from "./documents.ts";
import { createGlance } from "./glance.ts";

/**
 * Takes from an editor's questions where the user is. All are answered at once and with nothing: what our
 * server knows of a place is of no interest to anybody.
 */
export function listenForAttention(connection: Connection, documents: Documents): void {
  const at = (uri: string, position: Position | undefined) => {
    if (position) documents.look(uri, { start: position, end: position });
  };
  connection.onHover(({ textDocument, position }) => {
    at(textDocument.uri, position);
    return null;
  });
  connection.onDocumentHighlight(({ textDocument, position }) => {
    at(textDocument.uri, position);
    return null;
  });
  connection.onSignatureHelp(({ textDocument, position }) => {
    at(textDocument.uri, position);
    return null;
  });
  connection.onSelectionRanges(({ textDocument, positions }) => {
    at(textDocument.uri, positions[0]);
    return null;
  });
  const see = createGlance((uri) => documents.focus(uri));
  connection.languages.inlayHint.on(({ textDocument }) => {
    see(textDocument.uri);
    return null;
  });
}
