import type { Connection } from "vscode-languageserver";
import type { Host } from "../../../agents/index.ts";
import type { Companion } from "../../../companion.ts";
import type { EditorContext } from "../../../editor.ts";
import type { Ask } from "../asking.ts";
import type { Client } from "../client.ts";
import type { KeptEdits } from "../kept-edits.ts";
import type { Presence } from "../presence.ts";
import type { Tier } from "../tier.ts";
import type { Voice } from "../voice.ts";
import { answerActions } from "./actions.ts";
import { listenForAttention } from "./attention.ts";
import { createButtons } from "./buttons.ts";
import { toCapabilities } from "./capabilities.ts";
import { createChoices } from "./choices.ts";
import { Documents } from "./documents.ts";
import { executeCommands } from "./execute.ts";
import { createProposalFolder } from "./proposal-folder.ts";
import { ProposalStage } from "./proposal-stage.ts";
import { createStaging } from "./staging.ts";

export interface PlainTierOptions {
  readonly client: Client;
  readonly connection: Connection;
  readonly ask: Ask;
  readonly voice: Voice;
  readonly host: Host;
  /** A file of the user's was opened. */
  readonly onFile: (file: string) => void;
}

/** An editor that has nothing of ours: served by what every language server may ask of it. */
export function createPlainTier({ client, connection, ask, voice, host, onFile }: PlainTierOptions): Tier {
  const listeners = new Set<(context: EditorContext) => void>();
  let served: { readonly presence: Presence; readonly companion: Companion } | undefined;
  const folder = createProposalFolder(host);
  const buttons = createButtons({ client, ask });
  const staging = createStaging({ client, ask, voice, buttons });
  const documents = new Documents({
    connection,
    isOurs: folder.holds,
    hasBlockCursor: client.hasBlockCursor,
    overtakes: client.overtakes,
    onFile,
    onContext: (context) => {
      for (const listener of listeners) listener(context);
    },
    onOurs: (document, what) => stage.take(document, what),
  });
  const documentAt = (path: string) => documents.at(path);
  const stage = new ProposalStage({ client, voice, folder, staging, documentAt });
  const choices = createChoices({ buttons, voice, stage });
  listenForAttention(connection, documents);
  answerActions({ client, connection, documents, stage, presence: () => served?.presence });
  executeCommands({ connection, voice, documents, stage, staging, served: () => served });

  async function keepEdits({ proposal, content, text }: KeptEdits): Promise<void> {
    const path = folder.write(`kept-${proposal.id}`, proposal.filePath, content);
    voice.show("warning", `${text} They are kept in ${path}`);
    staging.showFile(path).catch((error: Error) => voice.log(error.message));
  }

  return {
    editor: {
      info: client.info,
      pid: client.pid ?? process.ppid,
      onContext(listener) {
        listeners.add(listener);
        listener(documents.context);
        return () => listeners.delete(listener);
      },
      openDiff: async (proposal, decide) => choices.offer(await stage.open(proposal, decide)),
      closeDiff: async (id, reason) => (reason === "shutdown" ? stage.abandon(id) : stage.close(id)),
      readDiff: async (id) => stage.read(id),
      ...(client.showsDocuments && {
        openFile: async ({ path, ...place }) => staging.showFile(path, place),
      }),
    },
    capabilities: toCapabilities(client),
    isOurs: folder.holds,
    onPresence: (presence, companion) => {
      served = { presence, companion };
    },
    keepEdits,
    close: folder.close,
  };
}
