import type { EditorContext } from "ide-companion";
import type { Presence } from "ide-companion/editor-kit";
import { l10n } from "vscode";
import { toMarkdown } from "./plain-text.ts";

/** The lines of the status bar's tooltip. */
export function toDetails({ sessions }: Presence, { files }: EditorContext, port: number): readonly string[] {
  const connected = sessions.map(({ agent }) => `- ${toMarkdown(agent)}`).join("\n");
  return [
    connected === ""
      ? l10n.t("No agent is connected. Start one in a terminal here, or type /ide enable in it.")
      : connected,
    l10n.t("{0} open files are shared.", files.length),
    l10n.t("Port {0}", port),
  ];
}
