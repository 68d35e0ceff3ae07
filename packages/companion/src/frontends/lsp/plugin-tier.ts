import type { Agent } from "../../agents/agent.ts";
import { agents } from "../../agents/agents.ts";
import type { ServedCompanion } from "../../companion.ts";
import type {
  CommentChanges,
  Diagnostic,
  Editor,
  EditorContext,
  OptionalCapabilities,
  ShownChange,
} from "../../core/editor.ts";
import { placeHunks } from "../../core/hunks.ts";
import { readFileText } from "../../files/file-text.ts";
import { createPathLabels } from "../../files/workspace-path.ts";
import { Listeners } from "../../system/listeners.ts";
import { mergeIntoBuffer } from "../protocol/buffer-edits.ts";
import type { News } from "../protocol/list-messages.ts";
import { StoredLists } from "../protocol/lists.ts";
import {
  messages,
  type PluginDiagnostic,
  type PluginMention,
  protocolVersion,
  type StatusParams,
} from "../protocol/messages.ts";
import { HunksFollower } from "../protocol/written-hunks.ts";
import type { FileWritten, MergeParams } from "../protocol/written-messages.ts";
import { sendMessage, toPluginAnswer } from "../send-message.ts";
import type { Client } from "./client.ts";
import { type Ask, describeIssues, serve } from "./notifier.ts";
import { limits, PluginDiffs } from "./plugin-diffs.ts";
import { PluginHunks } from "./plugin-hunks.ts";
import { describeStatus, review, type Tier, type TierOptions } from "./tier.ts";
import { WaitingList } from "./waiting-list.ts";

/** An editor with a plugin of ours, or of anybody who has read docs/reference/protocol.md. */
export function createPluginTier(options: TierOptions): Tier {
  const { notifier, roots, started } = options;
  let sent = "";
  let stopFollowing: (() => void) | undefined;

  function tellStatus(companion: ServedCompanion): void {
    if (!stopFollowing) {
      companion.turns.onChange(() => tellStatus(companion));
      stopFollowing = companion.reviewSwitch.onChange(() => tellStatus(companion));
      tellNews().catch((error: Error) => notifier.log(error.message));
    }
    const status = toStatus(companion);
    const text = JSON.stringify(status);
    if (text === sent) return;
    sent = text;
    notifier.notify(messages.status.method, status);
  }

  const labels = createPathLabels(roots);
  const lists = new StoredLists(labels, started);
  const diffs = new PluginDiffs(options);
  const waiting = () => diffs.waiting;
  const turns = async () => (await started())?.turns;
  const tell = (news: News) => notifier.notify(messages.news.method, news);
  const tellWritten = (file: FileWritten) => notifier.notify(messages.fileWritten.method, file);
  const editor = createPluginEditor(options, diffs);
  serveRequests(options, editor);
  const hunks = new HunksFollower({
    ...{ labels, started, onWritten: tellWritten },
    onHunks: (params) => notifier.notify(messages.writtenHunks.method, params),
  });
  const buffers = new PluginHunks(hunks);
  serveLists(options, { stored: lists, waiting: new WaitingList({ waiting, turns }), buffers });
  editor.onContext(({ files }) => buffers.open(files.map(({ path }) => path)));
  serve(options.connection, messages.decideHunks, (wanted) => buffers.decide(wanted));
  serve(options.connection, messages.placeHunks, (wanted) => buffers.place(wanted));
  serve(options.connection, messages.nextWritten, (wanted) => buffers.next(wanted));
  const tellNews = async () => {
    for (const news of await lists.news()) tell(news);
  };
  return {
    editor,
    // No text document comes our way: the plugin tells what matters, and spares the editor the rest.
    capabilities: {
      textDocumentSync: { openClose: false, change: 0 },
      workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      experimental: { ideCompanion: { version: protocolVersion, agents: agents.map(toAgentView) } },
    },
    isOurs: () => false,
    onStatus: tellStatus,
    async onEvent(event) {
      const news = await lists.newsOf(event);
      if (news) tell(news);
      if (event.kind === "file-checked") {
        const { id, agent, filePath, base } = event.proposal;
        const { label } = await labels.of(filePath);
        const [isNew, isWritten] = [base.kind === "missing", event.result !== "not-written"];
        tellWritten({ id, agent, filePath, label, isNew, isWritten });
      }
    },
    close: () => {
      stopFollowing?.();
      hunks.close();
    },
  };
}

/** An editor whose plugin speaks our own messages: it says what is open and shows diffs. */
function createPluginEditor({ client, connection, ask, notifier }: TierOptions, diffs: PluginDiffs): Editor {
  const contexts = new Listeners<[context: EditorContext]>();
  let context: EditorContext = { files: [] };

  connection.onNotification(messages.context.method, (params: unknown) => {
    const parsed = messages.context.params.safeParse(params);
    // A plugin's mistake must not become what agents believe.
    if (!parsed.success) {
      notifier.log(`The plugin has sent a context that was dropped: ${describeIssues(parsed.error)}.`);
      return;
    }
    context = parsed.data;
    contexts.tell(context);
  });
  diffs.listen(connection);
  return {
    ...createPluginCapabilities(client, ask),
    info: client.info,
    pid: client.pid ?? process.ppid,
    onContext(listener) {
      listener(context);
      return contexts.add(listener);
    },
    show: (change) => diffs.show(change),
    hide: (change, reason) => diffs.hide(change, reason),
    flush: (change) => diffs.flush(change),
    update: (change, rebase) => diffs.update(change, rebase),
    ...(client.plugin?.comments && {
      showComments: (change: ShownChange, changes: CommentChanges) => diffs.mergeComments(change, changes),
    }),
  };
}

/** Files that are opened, diagnostics and terminals: what the plugin has announced that it can besides diffs. */
function createPluginCapabilities({ plugin }: Client, ask: Ask): OptionalCapabilities {
  const { openFile, diagnostics, readTerminal, typeInTerminal } = messages;
  return {
    ...(plugin?.openFile && {
      openFile: async (place) => void (await ask(openFile, place, { limit: limits.open })),
    }),
    ...(plugin?.diagnostics && {
      getDiagnostics: async (path) => {
        const found = await ask(diagnostics, path === undefined ? {} : { path }, { limit: limits.text });
        return found.diagnostics.map(toDiagnostic);
      },
    }),
    ...(plugin?.terminals && {
      readTerminal: async (pids) => {
        const { pid, screen } = await ask(readTerminal, { pids }, { limit: limits.text });
        return pid === undefined || screen === undefined ? undefined : { pid, screen };
      },
      typeInTerminal: async (pid, text) =>
        void (await ask(typeInTerminal, { pid, text }, { limit: limits.text })),
    }),
  };
}

function toDiagnostic({ path, code, ...rest }: PluginDiagnostic): Diagnostic {
  return { ...rest, filePath: path, ...(code !== undefined && { code: String(code) }) };
}

/** What a plugin lists. */
interface Lists {
  readonly stored: StoredLists;
  readonly waiting: WaitingList;
  readonly buffers: PluginHunks;
}

/** Serves what a plugin asks of what waits, and of what the companion stores. */
function serveLists(
  { connection }: Pick<TierOptions, "connection">,
  { stored, waiting, buffers }: Lists,
): void {
  serve(connection, messages.list, async ({ list, wanted = "" }) => {
    if (list === "waiting") return waiting.list();
    const { rows, ...words } = await stored.rows(list, wanted);
    return { ...words, rows: rows.map((row) => buffers.inBuffer(row)) };
  });
  serve(connection, messages.act, ({ list, ...wanted }) =>
    list === "waiting" ? waiting.act({ list, ...wanted }) : stored.effect({ list, ...wanted }),
  );
}

/** Serves a plugin whose user sends something to an agent, merges, or pauses what agents are sent. */
function serveRequests(options: TierOptions, editor: Editor): void {
  const { connection } = options;
  serve(connection, messages.send, async ({ folder, mentions = [], diagnostics, text }) => {
    const found = diagnostics && (await diagnosticsIn(editor, diagnostics));
    if (found?.length === 0) return { message: "There are no diagnostics on these lines." };
    const message = { mentions, diagnostics: found ?? [] };
    const sent = await sendMessage(
      await options.started(),
      { ...message, ...(text !== undefined && { text }) },
      { roots: options.roots(), ...(folder !== undefined && { folder }) },
    );
    const isReference = text === undefined && diagnostics === undefined;
    return toPluginAnswer(sent, isReference ? "the reference" : "it");
  });
  connection.onNotification(messages.saved.method, async (params: unknown) =>
    (await options.started())?.written.noteSaved(messages.saved.params.parse(params).path),
  );
  serve(connection, messages.merge, mergeUnsaved);
  serve(connection, messages.pause, ({ paused }) => ({ message: options.pause(paused) }));
  serve(connection, messages.openPage, options.openPage);
  serve(connection, messages.review, async ({ mode }) => ({ message: await review(options, mode) }));
}

/** What was found in some lines of a file, in their order. */
async function diagnosticsIn(
  { getDiagnostics }: Editor,
  { path, lines }: Required<PluginMention>,
): Promise<readonly Diagnostic[]> {
  const all = (await getDiagnostics?.(path)) ?? [];
  const isIn = ({ line, endLine = line }: Diagnostic) => line <= lines.last && endLine >= lines.first;
  return all.filter(isIn).toSorted((one, other) => one.line - other.line);
}

/** Merges edits that are not saved with what an agent has written to their file. @throws Error with a sentence */
async function mergeUnsaved({ filePath, before, content }: MergeParams) {
  const file = await readFileText(filePath);
  if (file.kind !== "text" || !file.exact) throw new Error(`${filePath} cannot be merged: it is no text now`);
  const { kind, text } = mergeIntoBuffer(content, before ?? "", file.text);
  return { content: text, isClean: kind === "clean", edits: placeHunks(content, text) };
}

/** So that plugins need no knowledge of an agent. */
function toAgentView({ name, displayName, command, resumeArguments }: Agent) {
  return {
    name,
    displayName,
    command,
    ...(resumeArguments !== undefined && { resumeArguments }),
  };
}

function toStatus(companion: ServedCompanion): StatusParams {
  const { port, env, turns, status } = companion;
  const paused = status.withheld.isPaused;
  const names = status.sessions.map(({ agent }) => agent).join(", ");
  const ahead = turns.list.filter((turn) => turn.ahead).map(({ agent }) => agent);
  const waiting = status.diffs.length;
  const line = [names, paused && "paused", waiting > 0 && `(${waiting})`, ahead.length > 0 && "ahead"];
  // What a plugin need not know of sessions and changes is left out.
  return messages.status.params.parse({
    port,
    env,
    paused,
    ahead,
    line: line.filter(Boolean).join(" "),
    sentence: describeStatus(companion),
    excluded: status.withheld.excluded,
    sessions: status.sessions,
    diffs: status.diffs,
  });
}
