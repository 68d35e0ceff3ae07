import * as vscode from "vscode";

/** The scheme of all documents of ours. */
export const scheme = "ide-companion";

/** Ids start anew with every run, and VS Code remembers documents of the run before. */
const run = Math.random().toString(36).slice(2, 8);

/** The proposed side. Its path is the file's own, so that its name, icon and language are too. */
export function proposalUri(filePath: string, id: string): vscode.Uri {
  return vscode.Uri.file(filePath).with({ scheme, query: `${run}.${id}` });
}

/** The side that it is compared with, when that is no file. */
export function standInUri(filePath: string, id: string): vscode.Uri {
  return vscode.Uri.file(filePath).with({ scheme, query: `${run}.${id}`, fragment: "original" });
}

/** The proposal whose proposed side this is. */
export function proposalIdOf(uri: vscode.Uri): string | undefined {
  if (uri.scheme !== scheme || uri.fragment !== "") return undefined;
  const [ofRun, id] = uri.query.split(".");
  return ofRun === run ? id : undefined;
}
