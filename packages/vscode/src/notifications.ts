import { agents, type CompanionEvent } from "ide-companion";
import * as vscode from "vscode";
import { checkRepeatedly } from "./announcements.ts";
import type { WaitingRecord } from "./diffs/waiting-record.ts";
import { toMessage } from "./plain-text.ts";
import { nameOf } from "./workspace.ts";

/** Warns when a file does not contain what the user accepted, unless the user's edits are recovered. */
export function warnOfFile(event: CompanionEvent): void {
  if (event.kind !== "file-checked" || event.wasEdited || event.result === "written") return;
  const { agent, filePath } = event.proposal;
  const name = nameOf(filePath);
  const message =
    event.result === "not-written"
      ? vscode.l10n.t("{0} did not write {1}: the file is as it was before you accepted.", agent, name)
      : vscode.l10n.t("{0} wrote {1} differently from what you accepted.", agent, name);
  void vscode.window.showWarningMessage(toMessage(message));
}

/** Warns about proposals that waited in a window that has ended. */
export function warnOfLost(record: WaitingRecord): vscode.Disposable {
  return checkRepeatedly(() => {
    const names = record.takeLeft();
    if (names.length === 0) return;
    const message = vscode.l10n.t(
      "The window ended before you decided about {0}: the agent can propose it again.",
      names.join(", "),
    );
    void vscode.window.showWarningMessage(toMessage(message));
  });
}

/** Ids of extensions that the user has been warned about. */
const key = "knownNeighbours";

/** Warns once about each companion that an agent's makers publish: the CLI connects to one of the two. */
export function watchNeighbours(memory: vscode.Memento): vscode.Disposable {
  const check = () => {
    for (const { ownExtension, displayName } of agents) {
      const extension = ownExtension === undefined ? undefined : vscode.extensions.getExtension(ownExtension);
      if (extension && !memory.get<string[]>(key, []).includes(extension.id))
        void advise(extension, displayName, memory);
    }
  };
  check();
  return vscode.extensions.onDidChange(check);
}

async function advise(
  extension: vscode.Extension<unknown>,
  agent: string,
  memory: vscode.Memento,
): Promise<void> {
  const { l10n, window, commands } = vscode;
  const name: string = extension.packageJSON.displayName ?? extension.id;
  await memory.update(key, [...memory.get<string[]>(key, []), extension.id]);
  const show = l10n.t("Show that extension");
  const message = l10n.t(
    "{0} is installed as well. {1} connects to one of the two companions: disable the one that you do not want.",
    name,
    agent,
  );
  if ((await window.showInformationMessage(message, show)) === show) {
    // This page has the button that disables it. It works without a gallery.
    await commands.executeCommand("extension.open", extension.id);
  }
}
