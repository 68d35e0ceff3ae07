import type { z } from "zod";
import type {
  CommentChanges,
  Diagnostic,
  Editor,
  EditorContext,
  OptionalCapabilities,
  ShownChange,
} from "../../core/editor.ts";
import { messages, type PluginDiagnostic } from "../protocol/messages.ts";
import type { Client } from "./client.ts";
import type { Ask } from "./notifier.ts";
import { limits, type PluginDiffs } from "./plugin-diffs.ts";
import type { TierOptions } from "./tier.ts";

/** An editor whose plugin speaks our own messages: it says what is open and shows diffs. */
export function createPluginEditor(
  { client, connection, ask, notifier }: TierOptions,
  diffs: PluginDiffs,
): Editor {
  const listeners = new Set<(context: EditorContext) => void>();
  let context: EditorContext = { files: [] };

  connection.onNotification(messages.context.method, (params: unknown) => {
    const parsed = messages.context.params.safeParse(params);
    // A plugin's mistake must not become what agents believe.
    if (!parsed.success) {
      notifier.log(`The plugin has sent a context that was dropped: ${describeIssues(parsed.error)}.`);
      return;
    }
    context = parsed.data;
    for (const listener of listeners) listener(context);
  });
  diffs.listen(connection);
  return {
    ...createPluginCapabilities(client, ask),
    info: client.info,
    pid: client.pid ?? process.ppid,
    onContext(listener) {
      listeners.add(listener);
      listener(context);
      return () => listeners.delete(listener);
    },
    show: (change) => diffs.show(change),
    hide: (change, reason) => diffs.hide(change, reason),
    flush: (change) => diffs.flush(change),
    update: (change, rebase) => diffs.update(change, rebase),
    ...(client.showsComments && {
      showComments: (change: ShownChange, changes: CommentChanges) => diffs.mergeComments(change, changes),
    }),
  };
}

/** Files that are opened, diagnostics and terminals: what the plugin has announced that it can besides diffs. */
function createPluginCapabilities(
  { opensFiles, tellsDiagnostics, hasTerminals }: Client,
  ask: Ask,
): OptionalCapabilities {
  const { openFile, diagnostics, readTerminal, typeInTerminal } = messages;
  return {
    ...(opensFiles && {
      openFile: async (place) => void (await ask(openFile, place, { limit: limits.open })),
    }),
    ...(tellsDiagnostics && {
      getDiagnostics: async (path) => {
        const found = await ask(diagnostics, path === undefined ? {} : { path }, { limit: limits.text });
        return found.diagnostics.map(toDiagnostic);
      },
    }),
    ...(hasTerminals && {
      readTerminal: async (pids) => {
        const { pid, screen } = await ask(readTerminal, { pids }, { limit: limits.text });
        return pid === undefined || screen === undefined ? undefined : { pid, screen };
      },
      typeInTerminal: async (pid, text) =>
        void (await ask(typeInTerminal, { pid, text }, { limit: limits.text })),
    }),
  };
}

export function toDiagnostic({ path, code, ...rest }: PluginDiagnostic): Diagnostic {
  return { ...rest, filePath: path, ...(code !== undefined && { code: String(code) }) };
}

function describeIssues({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.join(".") || "it"}: ${message}`).join("; ");
}
