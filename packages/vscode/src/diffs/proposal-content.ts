import * as vscode from "vscode";
import { scheme } from "./proposal-uri.ts";
import type { Proposals } from "./proposals.ts";

/** Gives VS Code the texts of our documents. */
export function provideContent(proposals: Proposals): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    // The text as edited: VS Code may have dropped the document of a hidden tab. Stand-ins are empty.
    provideTextDocumentContent: (uri) => proposals.at(uri)?.text ?? "",
  });
}
