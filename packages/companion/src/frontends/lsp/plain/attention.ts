import type { Connection, Position } from "vscode-languageserver";
import type { Client } from "../client.ts";
import type { Documents } from "./documents.ts";
import { toHoverText } from "./marks.ts";
import type { ProposalController } from "./proposal-controller.ts";
import { watchVisibleDocument } from "./visible-document.ts";

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
