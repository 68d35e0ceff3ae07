import { existsSync, readFileSync, rmSync } from "node:fs";
import type {
  ApplyWorkspaceEditParams,
  ClientCapabilities,
  CodeAction,
  CodeLens,
  Range,
  ServerCapabilities,
  ShowDocumentParams,
  TextEdit,
  WorkspaceFolder,
} from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { AgentFamily } from "../../../agents/family.ts";
import type { Host } from "../../../system/host.ts";
import { toFilePath, toFileUri } from "../file-uri.ts";
import { createLspClient, type LspClient } from "./lsp-client.ts";

export interface PlainClientOptions {
  /** As the editor names itself. */
  readonly name?: string;
  readonly version?: string;
  readonly capabilities?: ClientCapabilities;
  /** What it does when asked to show a document; by default it does. */
  readonly onShow?: "shows" | "refuses" | "answers nothing";
  readonly initializationOptions?: object;
  readonly hasBrowser?: boolean;
  /** What it has open; a private folder by default. */
  readonly workspaceFolders?: WorkspaceFolder[];
  /** A machine that another one has used; its own by default. */
  readonly host?: Host;
  readonly families?: readonly AgentFamily[];
}

/** What most editors announce. */
export const fullCapabilities: ClientCapabilities = {
  workspace: { applyEdit: true, workspaceEdit: { resourceOperations: ["create", "rename", "delete"] } },
  window: { showDocument: { support: true }, showMessage: { messageActionItem: {} } },
  textDocument: { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } } },
};

/** An editor that speaks LSP and nothing else, as far as tests look at it. */
export interface PlainClient extends LspClient {
  readonly serverCapabilities: ServerCapabilities;
  /** What the editor has open, by path. */
  readonly documents: ReadonlyMap<string, TextDocument>;
  /** The paths that it was asked to show, in order. */
  readonly shown: readonly string[];
  open(path: string): Promise<void>;
  close(path: string): Promise<void>;
  /** The user types over a range. */
  type(path: string, edit: TextEdit): Promise<void>;
  actions(path: string, range: Range): Promise<CodeAction[]>;
  lenses(path: string): Promise<CodeLens[]>;
  run(command: { command: string; arguments?: unknown[] } | undefined): Promise<unknown>;
  /** The hints of a document, as they were sent last. */
  hints(path: string, fits?: (messages: string[]) => boolean): Promise<string[]>;
}

export async function startPlainClient(options: PlainClientOptions = {}): Promise<PlainClient> {
  const { name, version, hasBrowser = true, initializationOptions, host, families } = options;
  const client = createLspClient({ hasBrowser, ...(host && { host }), ...(families && { families }) });
  const documents = new Map<string, TextDocument>();
  const shown: string[] = [];
  const { connection } = client;
  const uriOf = (path: string) => documents.get(path)?.uri ?? toFileUri(path);

  const open = async (path: string) => {
    const document = TextDocument.create(toFileUri(path), "plaintext", 1, readFileSync(path, "utf8"));
    documents.set(path, document);
    const { uri, languageId, version } = document;
    const textDocument = { uri, languageId, version, text: document.getText() };
    await connection.sendNotification("textDocument/didOpen", { textDocument });
  };
  const close = async (path: string) => {
    const uri = uriOf(path);
    documents.delete(path);
    await connection.sendNotification("textDocument/didClose", { textDocument: { uri } });
  };
  const type = async (path: string, { range, newText }: TextEdit) => {
    const document = documents.get(path);
    if (!document) throw new Error(`${path} is not open`);
    const contentChanges = [{ range, text: newText }];
    const { uri, version } = TextDocument.update(document, contentChanges, document.version + 1);
    await connection.sendNotification("textDocument/didChange", {
      textDocument: { uri, version },
      contentChanges,
    });
  };

  connection.onRequest("window/showDocument", async ({ uri, external }: ShowDocumentParams) => {
    if (options.onShow === "refuses") throw new Error("unknown method");
    if (options.onShow === "answers nothing") return null;
    if (external) return { success: false };
    const path = toFilePath(uri) ?? "";
    shown.push(path);
    if (!documents.has(path)) await open(path);
    return { success: true };
  });
  connection.onRequest("workspace/applyEdit", async ({ edit }: ApplyWorkspaceEditParams) => {
    for (const [uri, edits] of Object.entries(edit.changes ?? {})) {
      for (const one of edits) await type(toFilePath(uri) ?? "", one);
    }
    for (const change of edit.documentChanges ?? []) {
      if (!("kind" in change) || change.kind !== "delete") continue;
      const path = toFilePath(change.uri) ?? "";
      if (existsSync(path)) rmSync(path);
      await close(path);
    }
    return { applied: true };
  });
  const { capabilities: serverCapabilities } = await client.start({
    capabilities: options.capabilities ?? fullCapabilities,
    ...(name !== undefined && { clientInfo: { name, ...(version !== undefined && { version }) } }),
    ...(initializationOptions && { initializationOptions }),
    ...(options.workspaceFolders && { workspaceFolders: options.workspaceFolders }),
  });

  return Object.assign(client, {
    serverCapabilities,
    documents,
    shown,
    open,
    close,
    type,
    actions: (path: string, range: Range) =>
      connection.sendRequest<CodeAction[]>("textDocument/codeAction", {
        textDocument: { uri: uriOf(path) },
        range,
        context: { diagnostics: [] },
      }),
    lenses: (path: string) =>
      connection.sendRequest<CodeLens[]>("textDocument/codeLens", { textDocument: { uri: uriOf(path) } }),
    run: (command: { command: string; arguments?: unknown[] } | undefined) =>
      connection.sendRequest("workspace/executeCommand", command),
    async hints(path: string, fits: (messages: string[]) => boolean = () => true) {
      const { diagnostics } = await client.hears(
        "textDocument/publishDiagnostics",
        ({ uri, diagnostics: given }) => uri === uriOf(path) && fits(messagesOf(given)),
      );
      return messagesOf(diagnostics);
    },
  });
}

const messagesOf = (diagnostics: unknown): string[] =>
  Array.isArray(diagnostics) ? diagnostics.map(({ message }) => String(message)) : [];
