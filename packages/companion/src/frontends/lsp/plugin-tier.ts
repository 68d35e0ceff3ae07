import { type Connection, ErrorCodes, ResponseError } from "vscode-languageserver";
import type { Agent } from "../../agents/agent.ts";
import { agents } from "../../agents/agents.ts";
import type { Companion } from "../../companion.ts";
import type { RecoveredComments } from "../../core/comments/comment.ts";
import { toMessage } from "../../core/comments/message.ts";
import type { Edits, RecoveredEditsSummary } from "../../core/edits/recovered-edits.ts";
import { explainReason } from "../../core/sentences.ts";
import { pathLabel } from "../../files/workspace-path.ts";
import { type SendAnswer, sendMessage } from "../send-message.ts";
import type { Client } from "./client.ts";
import type { WaitingCommentsView } from "./comment-messages.ts";
import type { ConnectionStatus } from "./connection-status.ts";
import { type EditsView, messages, protocolVersion, type StatusParams } from "./messages.ts";
import type { Ask, Notifier } from "./notifier.ts";
import { toDiagnostic } from "./plugin-capabilities.ts";
import { createPluginEditor } from "./plugin-editor.ts";
import { servePluginLists } from "./plugin-lists.ts";
import type { Tier } from "./tier.ts";

export interface PluginTierOptions {
  readonly client: Client;
  readonly connection: Connection;
  readonly ask: Ask;
  readonly notifier: Notifier;
  readonly roots: () => readonly string[];
  /** Resolves once the companion has started, or cannot. */
  readonly edits: () => Promise<Pick<Edits, "list" | "read" | "discard">>;
  /** Likewise; undefined where it cannot. */
  readonly started: () => Promise<
    Pick<Companion, "comments" | "sendComments" | "send" | "turns" | "history"> | undefined
  >;
}

/** An editor with a plugin of ours, or of anybody who has read docs/reference/protocol.md. */
export function createPluginTier(options: PluginTierOptions): Tier {
  const { notifier, roots, edits, started, connection } = options;
  let sent = "";
  let follows = false;

  function tellStatus(connectionStatus: ConnectionStatus, companion: Companion): void {
    if (!follows) companion.turns.onChange(() => tellStatus(connectionStatus, companion));
    follows = true;
    const status = toStatus(connectionStatus, companion);
    const text = JSON.stringify(status);
    if (text === sent) return;
    sent = text;
    notifier.notify(messages.status.method, status);
  }

  servePluginLists({ connection, roots, started });
  connection.onRequest(messages.edits.method, async () => {
    const all = (await edits()).list();
    return { edits: await Promise.all(all.map((each) => toView(each, roots()))) };
  });
  connection.onRequest(messages.readEdits.method, async (params: unknown) => {
    const { id } = messages.readEdits.params.parse(params);
    const found = (await edits()).read(id);
    if (!found) throw noSuchEdits(id);
    const { proposed, text: content } = found;
    return { ...(await toView(found, roots())), proposed, content };
  });
  connection.onRequest(messages.discardEdits.method, async (params: unknown) => {
    const { id } = messages.discardEdits.params.parse(params);
    if (!(await edits()).discard(id)) throw noSuchEdits(id);
    return null;
  });
  connection.onRequest(messages.waitingComments.method, async () => {
    const all = (await started())?.comments.list() ?? [];
    return { comments: await Promise.all(all.map((each) => toCommentsView(each, roots()))) };
  });
  connection.onRequest(
    messages.sendComments.method,
    async (params: unknown): Promise<{ readonly agent?: string }> => {
      const { id } = messages.sendComments.params.parse(params);
      const agent = await (await started())?.sendComments(id);
      return agent === undefined ? {} : { agent };
    },
  );
  connection.onRequest(messages.discardComments.method, async (params: unknown) => {
    const { id } = messages.discardComments.params.parse(params);
    if (!(await started())?.comments.discard(id)) throw noSuchComments(id);
    return null;
  });
  connection.onRequest(messages.send.method, async (params: unknown): Promise<SendAnswer> => {
    const { folder, diagnostics = [], ...message } = messages.send.params.parse(params);
    return sendMessage(
      await started(),
      { ...message, diagnostics: diagnostics.map(toDiagnostic) },
      { roots: roots(), ...(folder !== undefined && { folder }) },
    );
  });

  return {
    editor: createPluginEditor(options),
    // No text document comes our way: the plugin tells what matters, and spares the editor the rest.
    capabilities: {
      textDocumentSync: { openClose: false, change: 0 },
      workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      experimental: { ideCompanion: { version: protocolVersion, agents: agents.map(toAgentView) } },
    },
    isOurs: () => false,
    onConnectionStatus: tellStatus,
    async onRecovered(recovered) {
      notifier.notify(messages.editsRecovered.method, await toView(recovered, roots()));
    },
    async onComments(event) {
      if (event.kind === "comments-delivered") {
        const { proposal, by } = event;
        notifier.notify(messages.commentsDelivered.method, { agent: proposal.agent, by });
      } else {
        const view = await toCommentsView(event.comments, roots());
        notifier.notify(messages.commentsRecovered.method, { ...view, wasSent: event.wasSent });
      }
    },
    close: () => {},
  };
}

/** What recovered edits and waiting comments have in common. */
async function toView(
  { id, agent, filePath, at, reason }: RecoveredEditsSummary | RecoveredComments,
  roots: readonly string[],
): Promise<EditsView> {
  const { label } = await pathLabel(filePath, roots);
  return { id, agent, filePath, label, at, reason: explainReason({ reason, agent }) };
}

async function toCommentsView(
  waiting: RecoveredComments,
  roots: readonly string[],
): Promise<WaitingCommentsView> {
  return { ...(await toView(waiting, roots)), message: toMessage(waiting) };
}

const noSuchComments = (id: string) =>
  new ResponseError(ErrorCodes.InvalidParams, `There are no comments ${id} that wait any more.`);

const noSuchEdits = (id: string) =>
  new ResponseError(ErrorCodes.InvalidParams, `There are no recovered edits ${id} any more.`);

/** So that plugins need no knowledge of an agent. */
function toAgentView({ name, displayName, command, resumeArguments, freedBy }: Agent) {
  return {
    name,
    displayName,
    command,
    ...(resumeArguments !== undefined && { resumeArguments }),
    ...(freedBy !== undefined && { freedBy }),
  };
}

function toStatus(connectionStatus: ConnectionStatus, { port, env, turns }: Companion): StatusParams {
  return {
    port,
    env: { ...env },
    paused: connectionStatus.withheld.isPaused,
    excluded: [...connectionStatus.withheld.excluded],
    sessions: connectionStatus.sessions.map(({ agent, connectedAt }) => ({ agent, connectedAt })),
    diffs: connectionStatus.diffs.map(({ id, agent, filePath, openedAt }) => ({
      id,
      agent,
      filePath,
      openedAt,
    })),
    turns: turns.list.map(({ id, agent, waiting, decided, ahead }) => ({
      ...{ id, agent, waiting: [...waiting], decided },
      ...(ahead && { ahead: { stopAt: [...ahead.stopAt], accepted: ahead.accepted } }),
    })),
  };
}
