import * as vscode from "vscode";
import { proposalFiles } from "./proposal-files.ts";
import { scheme } from "./proposal-uri.ts";

/** Acts on the active editor. */
const makeWriteable = "workbench.action.files.setActiveEditorWriteableInSession";

/**
 * Our documents, in which the user types. Those of a content provider are read-only until a command of VS Code's makes
 * them writeable, and never dirty, so that no question about saving comes between a decision and its effect.
 *
 * Theia has no such command. There they are writeable, but dirty once they are edited, and cannot be saved: their tabs
 * could not be closed. So there they are files that are saved nowhere.
 */
export class ProposalDocuments {
  readonly #textOf: (uri: vscode.Uri) => string;
  #provider: vscode.Disposable;
  #ready: Promise<boolean> | undefined;

  /** @param textOf the text as edited: VS Code may have dropped the document of a hidden tab */
  constructor(textOf: (uri: vscode.Uri) => string) {
    this.#textOf = textOf;
    this.#provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: textOf,
    });
  }

  /** To be awaited before one is opened. */
  async prepare(): Promise<void> {
    await this.#usesCommand();
  }

  /** Lets the user type in the active editor, which shows one. */
  async makeWriteable(): Promise<void> {
    if (await this.#usesCommand()) await vscode.commands.executeCommand(makeWriteable);
  }

  dispose(): void {
    this.#provider.dispose();
  }

  #usesCommand(): Promise<boolean> {
    this.#ready ??= this.#choose();
    return this.#ready;
  }

  async #choose(): Promise<boolean> {
    const commands = await vscode.commands.getCommands();
    if (commands.includes(makeWriteable)) return true;
    this.#provider.dispose();
    this.#provider = vscode.workspace.registerFileSystemProvider(scheme, proposalFiles(this.#textOf));
    return false;
  }
}
