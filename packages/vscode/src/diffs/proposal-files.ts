import * as vscode from "vscode";

/** Our documents as files: what is saved goes nowhere, since the document itself has the text. */
export function proposalFiles(textOf: (uri: vscode.Uri) => string): vscode.FileSystemProvider {
  const bytesOf = (uri: vscode.Uri) => Buffer.from(textOf(uri));
  const refuse = (uri: vscode.Uri) => {
    throw vscode.FileSystemError.NoPermissions(uri);
  };
  return {
    onDidChangeFile: new vscode.EventEmitter<vscode.FileChangeEvent[]>().event,
    watch: () => new vscode.Disposable(() => {}),
    // A file that is never newer is never in conflict with what is saved.
    stat: (uri) => ({ type: vscode.FileType.File, ctime: 0, mtime: 0, size: bytesOf(uri).length }),
    readFile: bytesOf,
    writeFile: () => {},
    readDirectory: () => [],
    createDirectory: refuse,
    delete: refuse,
    rename: refuse,
  };
}
