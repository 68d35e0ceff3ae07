import type { Connection, Position } from "vscode-languageserver";
import type { Client } from "../client.ts";
import type { Documents } from "./documents.ts";
import { toHoverText } from "./marks.ts";
import type { ProposalController } from "./proposal-controller.ts";

export interface AttentionOptions {
  readonly client: Pick<Client, "coversTextByHints">;
  readonly connection: Connection;
  readonly documents: Documents;
  readonly controller: ProposalController;
}

/**
 * Takes from an editor's questions where the user is. All are answered at once, and with nothing but what a change of a
 * proposal replaces, where its hint has no room for it.
 */
export function listenForAttention({ connection, client, documents, controller }: AttentionOptions): void {
  const at = (uri: string, position: Position | undefined) => {
    if (position) documents.look(uri, { start: position, end: position });
  };
  connection.onHover(({ textDocument, position }) => {
    at(textDocument.uri, position);
    const document = client.coversTextByHints ? documents.find(textDocument.uri) : undefined;
    const reviewed = document && controller.at(document.path);
    const value = reviewed && toHoverText(reviewed, position);
    return value === undefined ? null : { contents: { kind: "markdown", value } };
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
  const see = watchVisibleDocument((uri) => documents.focus(uri));
  connection.languages.inlayHint.on(({ textDocument }) => {
    see(textDocument.uri);
    return null;
  });
}

/** How long to wait for the other documents on the screen, in milliseconds. */
const gathering = 50;

/**
 * Inlay hints are asked for whatever is on the screen: one document alone has the user's eyes, of several
 * nobody knows which.
 */
export function watchVisibleDocument(onOne: (uri: string) => void): (uri: string) => void {
  const seen = new Set<string>();
  return (uri) => {
    seen.add(uri);
    if (seen.size > 1) return;
    setTimeout(() => {
      if (seen.size === 1) onOne(uri);
      seen.clear();
    }, gathering).unref();
  };
}
