import { agents, type Companion } from "ide-companion";
import { isInContainer, toLoopbackEnv } from "ide-companion/editor-kit";
import type { EnvironmentVariableCollection } from "vscode";
import { l10n } from "vscode";

/** The variables by which a CLI in a terminal of this window finds this window, and no other. */
export function terminalVariables(companion: Companion): Readonly<Record<string, string>> {
  // In a container, the companion is in the same one as the terminal.
  const container = isInContainer() ? agents.map(({ containerEnv }) => containerEnv) : [];
  return Object.assign({}, toLoopbackEnv(process.env), ...container, companion.env);
}

/** Sets them for terminals that open from now on; they hold a token, so VS Code must not remember them. */
export function setTerminalVariables(collection: EnvironmentVariableCollection, companion: Companion): void {
  collection.persistent = false;
  collection.description = l10n.t("Lets agent CLIs find this window");
  for (const [name, value] of Object.entries(terminalVariables(companion))) collection.replace(name, value);
}
