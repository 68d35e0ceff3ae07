import * as vscode from "vscode";
import { commands, workspace } from "vscode";

/** The scheme of all documents of proposals. */
export const scheme = "ide-companion";

/** The proposed side. It has the file's path, and so the file's name, icon and language. */
export function proposalUri(filePath: string, id: string): vscode.Uri {
  return vscode.Uri.file(filePath).with({ scheme, query: id });
}

/** The same proposal as another document. */
export const ownVersionUri = (uri: vscode.Uri): vscode.Uri => uri.with({ query: `${uri.query}.own` });

/** The other side of the diff, when no file can be shown there. */
export function standInUri(filePath: string, id: string): vscode.Uri {
  return vscode.Uri.file(filePath).with({ scheme, query: id, fragment: "original" });
}

/** The id of the proposal whose proposed side this is. */
export function proposalIdOf(uri: vscode.Uri): string | undefined {
  return uri.scheme === scheme && uri.fragment === "" ? uri.query.split(".")[0] : undefined;
}

/** A command of VS Code that acts on the active editor. */
const makeWriteable = "workbench.action.files.setActiveEditorWriteableInSession";

export interface ProposalDocumentsOptions {
  /** The text with the user's edits: VS Code may have dropped the document of a hidden tab. */
  readonly textOf: (uri: vscode.Uri) => string;
  readonly isReadOnly: (uri: vscode.Uri) => boolean;
}

/**
 * The documents of proposals, which the user edits. In VS Code a content provider serves them. They are read-only until
 * a command makes them writeable, and they are never dirty: VS Code never asks whether to save them.
 *
 * Theia has no such command. There, documents of a content provider become dirty and cannot be saved, so their tabs
 * cannot be closed. In Theia a file system provider serves them, and saving does nothing. What was opened read-only
 * stays so.
 */
export class ProposalDocuments {
  readonly #options: ProposalDocumentsOptions;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  #provider: vscode.Disposable;
  #areFiles: Promise<boolean> | undefined;

  constructor(options: ProposalDocumentsOptions) {
    this.#options = options;
    this.#provider = workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: this.#changed.event,
      provideTextDocumentContent: options.textOf,
    });
  }

  /** Whether this is Theia, where they are files. Await this before a document is opened. */
  areFiles(): Promise<boolean> {
    this.#areFiles ??= this.#choose();
    return this.#areFiles;
  }

  /** Lets the user type in the active editor, which must show a proposal. */
  async makeWriteable(): Promise<void> {
    if (!(await this.areFiles())) await commands.executeCommand(makeWriteable);
  }

  /** To be called when the text of a left side is another one. */
  refresh(uri: vscode.Uri): void {
    if (uri.scheme === scheme) this.#changed.fire(uri);
  }

  dispose(): void {
    this.#changed.dispose();
    this.#provider.dispose();
  }

  async #choose(): Promise<boolean> {
    const all = await commands.getCommands();
    if (all.includes(makeWriteable)) return false;
    this.#provider.dispose();
    this.#provider = workspace.registerFileSystemProvider(scheme, proposalFiles(this.#options));
    return true;
  }
}

/** A file system of proposals. Saving does nothing, because the document already has the text. */
function proposalFiles({ textOf, isReadOnly }: ProposalDocumentsOptions): vscode.FileSystemProvider {
  const bytesOf = (uri: vscode.Uri) => Buffer.from(textOf(uri));
  const refuse = (uri: vscode.Uri) => {
    throw vscode.FileSystemError.NoPermissions(uri);
  };
  return {
    onDidChangeFile: new vscode.EventEmitter<vscode.FileChangeEvent[]>().event,
    watch: () => new vscode.Disposable(() => {}),
    // The time never changes, so that saving never reports a conflict.
    stat: (uri) => ({
      ...{ type: vscode.FileType.File, ctime: 0, mtime: 0, size: bytesOf(uri).length },
      ...(isReadOnly(uri) && { permissions: vscode.FilePermission.Readonly }),
    }),
    readFile: bytesOf,
    writeFile: () => {},
    readDirectory: () => [],
    createDirectory: refuse,
    delete: refuse,
    rename: refuse,
  };
}

/** Languages in which VS Code reports problems for documents of any scheme. */
export const checkedLanguages: readonly string[] = [
  ...["typescript", "typescriptreact", "javascript", "javascriptreact"],
  ...["json", "jsonc", "css", "scss", "less", "html"],
];

/** Our language with the same colours and brackets, in which VS Code reports no problems. */
export const quietLanguageOf = (language: string): string => `ide-companion-${language}`;

/** Serves read-only documents of these schemes. */
export function serveTexts(
  schemes: readonly string[],
  provider: vscode.TextDocumentContentProvider,
): vscode.Disposable {
  return vscode.Disposable.from(
    ...schemes.map((each) => workspace.registerTextDocumentContentProvider(each, provider)),
    workspace.onDidOpenTextDocument((document) => {
      if (schemes.includes(document.uri.scheme)) void silence(document);
    }),
  );
}

/** Keeps a document out of the Problems panel, which would list its problems next to those of the file. */
export async function silence(document: vscode.TextDocument): Promise<void> {
  const { languageId } = document;
  if (!checkedLanguages.includes(languageId)) return;
  await vscode.languages.setTextDocumentLanguage(document, quietLanguageOf(languageId));
}
