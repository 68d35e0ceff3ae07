import type { Connection } from "vscode-languageserver";
import { type Agent, agents } from "../../agents/index.ts";
import type { Companion } from "../../companion.ts";
import { placeLabel } from "../review/place-label.ts";
import type { Ask } from "./asking.ts";
import type { Client } from "./client.ts";
import { messages, protocolVersion, type StatusParams } from "./messages.ts";
import { createPluginEditor } from "./plugin-editor.ts";
import type { Presence } from "./presence.ts";
import type { Tier } from "./tier.ts";
import type { Voice } from "./voice.ts";

export interface PluginTierOptions {
  readonly client: Client;
  readonly connection: Connection;
  readonly ask: Ask;
  readonly voice: Voice;
  readonly roots: () => readonly string[];
}

/** An editor with a plugin of ours, or of anybody who has read docs/editors/protocol.md. */
export function createPluginTier(options: PluginTierOptions): Tier {
  const { voice, roots } = options;
  let told = "";

  function tellStatus(presence: Presence, companion: Companion): void {
    const status = toStatus(presence, companion);
    const text = JSON.stringify(status);
    if (text === told) return;
    told = text;
    voice.notify(messages.status.method, status);
  }

  return {
    editor: createPluginEditor(options),
    // No text document comes our way: the plugin tells what matters, and spares the editor the rest.
    capabilities: {
      textDocumentSync: { openClose: false, change: 0 },
      workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      experimental: { ideCompanion: { version: protocolVersion, agents: agents.map(toAgentView) } },
    },
    isOurs: () => false,
    onPresence: tellStatus,
    async keepEdits({ proposal, content, text }) {
      const { id, agent, filePath } = proposal;
      const { label } = await placeLabel(filePath, roots());
      const params = { id, agent, filePath, label, content, text };
      voice.notify(messages.editsKept.method, params);
    },
    close: () => {},
  };
}

/** So that plugins complete and check names that they need not know. */
function toAgentView({ name, displayName, command }: Agent) {
  return { name, displayName, command };
}

function toStatus(presence: Presence, { port, env }: Companion): StatusParams {
  return {
    port,
    env: { ...env },
    sessions: presence.sessions.map(({ agent, connectedAt }) => ({ agent, connectedAt })),
    diffs: presence.diffs.map(({ id, agent, filePath, openedAt }) => ({ id, agent, filePath, openedAt })),
  };
}
