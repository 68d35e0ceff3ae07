import { agents } from "ide-companion";
import * as vscode from "vscode";

const key = "toldOfNeighbours";

/** Tells, once for each, of the CLIs' own companions beside us: a CLI then connects to either. */
export function watchNeighbours(memory: vscode.Memento): vscode.Disposable {
  const tell = () => {
    for (const { ownExtension, displayName } of agents) {
      const extension = ownExtension === undefined ? undefined : vscode.extensions.getExtension(ownExtension);
      if (extension && !memory.get<string[]>(key, []).includes(extension.id))
        void advise(extension, displayName, memory);
    }
  };
  tell();
  return vscode.extensions.onDidChange(tell);
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
    // Its page has the button that disables it, and needs no gallery.
    await commands.executeCommand("extension.open", extension.id);
  }
}
