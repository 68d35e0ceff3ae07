import type { PlainClientOptions } from "./plain-client.ts";

/** An editor that is not run here: what it is documented to announce, and what its user gets by that. */
export interface AnnouncedClient extends PlainClientOptions {
  /** What a proposal becomes. */
  readonly proposal: "a document with choices in a message" | "a document" | "the review page";
  /** How the user shares a selection; an editor without code actions tells but the cursor. */
  readonly selection: "a code action" | "a command as a code action" | "not at all";
}

const literals = { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } } };
const resourceOperations: ("create" | "rename" | "delete")[] = ["create", "rename", "delete"];
const edits = { applyEdit: true, workspaceEdit: { resourceOperations } };
const showDocument = { support: true };
const buttons = { messageActionItem: { additionalPropertiesSupport: false } };

/**
 * Only what the frontend looks at. Where the documentation is silent, the weaker is assumed: nothing is
 * announced, and a request that is not documented is refused.
 */
export const announcedClients: Readonly<Record<string, AnnouncedClient>> = {
  // Shows messages with buttons as balloons that stay, and announces them since October 2025.
  // https://github.com/redhat-developer/lsp4ij/blob/main/docs/LSPSupport.md
  // https://github.com/redhat-developer/lsp4ij/pull/1308, ClientCapabilitiesFactory
  "a JetBrains IDE by LSP4IJ": {
    name: "JetBrains Rider 2025.2",
    version: "JetBrains Rider (build RD-252.23892.524)",
    capabilities: {
      window: { showDocument, showMessage: buttons },
      workspace: edits,
      textDocument: literals,
    },
    proposal: "a document with choices in a message",
    selection: "a code action",
  },
  // https://github.com/redhat-developer/lsp4ij/issues/602
  // https://github.com/redhat-developer/lsp4ij/issues/603
  "a JetBrains IDE by an LSP4IJ that does not announce its buttons": {
    name: "IntelliJ",
    version: "GoLand (build GO-241.18034.61)",
    capabilities: { window: { showDocument, showMessage: {} }, workspace: edits, textDocument: literals },
    proposal: "a document with choices in a message",
    selection: "a code action",
  },
  // No resource operations: it cannot close the proposal's document for us.
  // https://github.com/sublimelsp/LSP/blob/main/plugin/core/sessions.py
  "Sublime Text by its LSP package": {
    name: "Sublime Text LSP",
    capabilities: {
      window: { showDocument, showMessage: { messageActionItem: { additionalPropertiesSupport: true } } },
      workspace: { applyEdit: true, workspaceEdit: { documentChanges: true } },
      textDocument: literals,
    },
    proposal: "a document with choices in a message",
    selection: "a code action",
  },
  // Messages with buttons since December 2025, documents since September 2026.
  // https://github.com/zed-industries/zed/pull/45047, https://github.com/zed-industries/zed/pull/63607
  Zed: {
    name: "Zed",
    capabilities: {
      window: { showDocument, showMessage: buttons },
      workspace: edits,
      textDocument: literals,
    },
    proposal: "a document with choices in a message",
    selection: "a code action",
  },
  // https://github.com/zed-industries/zed/issues/61572
  // https://github.com/zed-industries/zed/blob/main/crates/lsp/src/lsp.rs
  "Zed 1.12": {
    name: "Zed",
    capabilities: { window: { showMessage: buttons }, workspace: edits, textDocument: literals },
    onShow: "refuses",
    proposal: "the review page",
    selection: "a code action",
  },
  // The table has neither showDocument nor codeLens, and does not tell the form of code actions.
  // https://learn.microsoft.com/en-us/visualstudio/extensibility/adding-an-lsp-extension
  "Visual Studio": {
    capabilities: { workspace: { applyEdit: true } },
    onShow: "refuses",
    proposal: "the review page",
    selection: "a command as a code action",
  },
  // Announces `showMessage` without `messageActionItem`: asked all the same, it stops the user by a modal dialog.
  // https://github.com/eclipse-lsp4e/lsp4e, org.eclipse.lsp4e.internal.SupportedFeatures and ServerMessageHandler
  "Eclipse by LSP4E": {
    name: "Eclipse IDE",
    capabilities: { window: { showDocument, showMessage: {} }, workspace: edits, textDocument: literals },
    proposal: "a document",
    selection: "a code action",
  },
  // Of the window it announces workDoneProgress alone.
  // https://doc.qt.io/qtcreator/creator-language-servers.html
  // https://github.com/qt-creator/qt-creator/blob/master/src/plugins/languageclient/client.cpp
  "Qt Creator": {
    name: "Qt Creator",
    capabilities: {
      window: { workDoneProgress: true },
      workspace: { ...edits, workspaceFolders: true },
      textDocument: literals,
    },
    onShow: "refuses",
    proposal: "the review page",
    selection: "a code action",
  },
  // Code actions and applyEdit since Nova 2: https://github.com/apexskier/nova-typescript/issues/2
  // What it announces of the window is not documented: https://docs.nova.app/api-reference/language-client/
  Nova: {
    capabilities: { workspace: { applyEdit: true } },
    onShow: "refuses",
    proposal: "the review page",
    selection: "a command as a code action",
  },
  // No code actions, no commands, no applyEdit; the cursor is reported by hovering with Ctrl. It never answers a
  // message with buttons. https://github.com/CudaText-addons/cuda_lsp, sansio_lsp_client/client.py and language.py
  "CudaText by its LSP Client": {
    capabilities: { window: { showMessage: {} }, workspace: { workspaceFolders: true } },
    onShow: "refuses",
    proposal: "the review page",
    selection: "not at all",
  },
};
