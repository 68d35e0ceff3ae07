import { basename } from "node:path";
import type { Edits, RecoveredEditsSummary } from "ide-companion";
import { readFileText } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { closeTabs } from "./proposal-tabs.ts";
import { silence } from "./quiet-languages.ts";

/** The scheme of documents with recovered edits, and of the empty ones that they are compared with. */
export const editsScheme = "ide-companion-edits";

/** Recovered edits as read-only documents. */
export function provideEdits(edits: () => Edits | undefined): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(editsScheme, {
      provideTextDocumentContent: ({ query, fragment }) =>
        fragment === "" ? (edits()?.read(query)?.text ?? "") : "",
    }),
    vscode.workspace.onDidOpenTextDocument((document) => {
      if (document.uri.scheme === editsScheme) void silence(document);
    }),
  );
}

/** Shows them beside their file as it is now. */
export async function showEdits({ id, filePath }: RecoveredEditsSummary): Promise<void> {
  const uri = uriOf(id, filePath);
  const file = await readFileText(filePath);
  const left = file.kind === "text" ? vscode.Uri.file(filePath) : uri.with({ fragment: "none" });
  const title = vscode.l10n.t("{0} (your recovered edits)", basename(filePath));
  await vscode.commands.executeCommand("vscode.diff", left, uri, title, { preview: false });
}

export async function closeEdits(id: string): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
  await closeTabs(tabs.filter((tab) => idShownBy(tab) === id));
}

/** The edits that the user looks at. */
export const activeEditsId = (): string | undefined =>
  idShownBy(vscode.window.tabGroups.activeTabGroup.activeTab);

const uriOf = (id: string, filePath: string) =>
  vscode.Uri.file(filePath).with({ scheme: editsScheme, query: id });

function idShownBy(tab: vscode.Tab | undefined): string | undefined {
  if (!(tab?.input instanceof vscode.TabInputTextDiff)) return undefined;
  const { scheme, query } = tab.input.modified;
  return scheme === editsScheme ? query : undefined;
}
