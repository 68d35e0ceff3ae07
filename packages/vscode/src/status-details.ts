import type { ConnectionStatus } from "ide-companion/editor-kit";
import { l10n } from "vscode";
import { toMarkdown } from "./plain-text.ts";

export interface StatusDetails {
  readonly connectionStatus: ConnectionStatus;
  /** How many open files the agents were last sent. */
  readonly sentFiles: number;
  readonly isPaused: boolean;
  readonly port: number;
}

/** The lines of the status bar's tooltip. */
export function toDetails({ connectionStatus, sentFiles, isPaused, port }: StatusDetails): readonly string[] {
  const agents = connectionStatus.sessions.map(({ agent }) => `- ${toMarkdown(agent)}`);
  return [
    agents.length === 0
      ? l10n.t("No agent is connected. Start one in a terminal here, or type /ide enable in it.")
      : agents.join("\n"),
    ...(agents.length === 0 ? [] : [describeShared(sentFiles, isPaused)]),
    l10n.t("Port {0}", port),
  ];
}

function describeShared(count: number, isPaused: boolean): string {
  if (isPaused) return l10n.t("Sharing is paused: the agents receive no files.");
  return count === 1 ? l10n.t("1 open file is shared.") : l10n.t("{0} open files are shared.", count);
}
