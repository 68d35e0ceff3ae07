import * as vscode from "vscode";

/** Of VS Code's own languages, those that are checked for faults whatever the scheme of their document. */
export const checkedLanguages: readonly string[] = [
  ...["typescript", "typescriptreact", "javascript", "javascriptreact"],
  ...["json", "jsonc", "css", "scss", "less", "html"],
];

/** A language of ours, with that one's colours and brackets. */
export const quietLanguageOf = (language: string): string => `ide-companion-${language}`;

/** Keeps a document of ours out of the Problems panel, which is about files: there its faults would stand beside the file's own. */
export async function silence(document: vscode.TextDocument): Promise<void> {
  const { languageId } = document;
  if (!checkedLanguages.includes(languageId)) return;
  await vscode.languages.setTextDocumentLanguage(document, quietLanguageOf(languageId));
}
