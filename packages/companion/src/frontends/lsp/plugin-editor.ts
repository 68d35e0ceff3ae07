import type { Connection } from "vscode-languageserver";
import type { z } from "zod";
import type {
  CloseReason,
  Comment,
  Decision,
  DecisionResult,
  Editor,
  EditorContext,
} from "../../core/editor.ts";
import { pathLabel } from "../../files/workspace-path.ts";
import type { Client } from "./client.ts";
import { messages } from "./messages.ts";
import type { Ask, Notifier } from "./notifier.ts";
import { originalOf } from "./original.ts";
import { createPluginCapabilities, limits } from "./plugin-capabilities.ts";

export interface PluginEditorOptions {
  readonly client: Client;
  readonly connection: Pick<Connection, "onNotification" | "onRequest">;
  readonly ask: Ask;
  readonly notifier: Pick<Notifier, "log">;
  readonly roots: () => readonly string[];
}

/** Accepted proposals in which the user may have typed on until the plugin heard of it. */
const maxAccepted = 16;

interface Held {
  readonly decide: (decision: Decision) => DecisionResult;
  /** Also for what comes after the decision. */
  readonly saveDraft: (text: string) => void;
  readonly saveComments: (comments: readonly Comment[]) => void;
  /** As the plugin reported last. */
  text: string;
}

const tooLate: DecisionResult = { taken: false, reason: "This change has already been decided." };

/** An editor whose plugin speaks our own messages: it says what is open and shows diffs. */
export function createPluginEditor({
  client,
  connection,
  ask,
  notifier,
  roots,
}: PluginEditorOptions): Editor {
  /** Those that the plugin may still show. */
  const held = new Map<string, Held>();
  /** The newest last. */
  const accepted = new Map<string, Held>();
  const listeners = new Set<(context: EditorContext) => void>();
  let context: EditorContext = { files: [] };

  function decide(id: string, decision: Decision): DecisionResult {
    const diff = held.get(id);
    const result = diff?.decide(decision) ?? tooLate;
    if (!diff || !result.taken) return result;
    held.delete(id);
    if (decision.kind === "accepted") accepted.set(id, diff);
    for (const oldest of accepted.keys()) if (accepted.size > maxAccepted) accepted.delete(oldest);
    return result;
  }

  /** What was typed until the plugin has taken it away counts, however late we hear of it. */
  async function takeAway(id: string, reason: CloseReason): Promise<string> {
    const diff = held.get(id);
    const forget = () => void held.delete(id);
    const { method, answer } = messages.closeDiff;
    let isLate = false;
    const onLate = (asked: Promise<{ readonly content: string }>) => {
      isLate = true;
      asked.then(({ content }) => diff?.saveDraft(content)).then(forget, forget);
    };
    try {
      return (await ask(method, { id, reason }, { limit: limits.text, answer, onLate })).content;
    } finally {
      if (!isLate) forget();
    }
  }

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
  connection.onNotification(messages.draft.method, (params: unknown) => {
    const { id, content } = messages.draft.params.parse(params);
    const diff = held.get(id) ?? accepted.get(id);
    if (!diff) return; // rejected meanwhile
    diff.text = content;
    diff.saveDraft(content);
  });
  connection.onNotification(messages.comments.method, (params: unknown) => {
    const { id, comments } = messages.comments.params.parse(params);
    held.get(id)?.saveComments(comments);
  });
  connection.onRequest<DecisionResult, void>(messages.diffAccepted.method, (params: unknown) => {
    const { id, ...accepted } = messages.diffAccepted.params.parse(params);
    return decide(id, { kind: "accepted", ...accepted });
  });
  connection.onRequest<DecisionResult, void>(messages.diffRejected.method, (params: unknown) => {
    const { id, ...rejected } = messages.diffRejected.params.parse(params);
    return decide(id, { kind: "rejected", ...rejected });
  });

  return {
    ...createPluginCapabilities(client, ask),
    info: client.info,
    pid: client.pid ?? process.ppid,
    onContext(listener) {
      listeners.add(listener);
      listener(context);
      return () => listeners.delete(listener);
    },
    async openDiff(proposal, decideIt, saveDraft, saveComments) {
      const { id, filePath, newContent } = proposal;
      const { text: original, notes } = originalOf(proposal);
      const { label } = await pathLabel(filePath, roots());
      held.set(id, { decide: decideIt, saveDraft, saveComments, text: newContent });
      const { method, answer, params: schema } = messages.openDiff;
      const params = schema.parse({ ...proposal, label, original, notes });
      await ask(method, params, { limit: limits.open, answer }).catch((error: unknown) => {
        if (held.get(id)?.text !== newContent) return; // its user types in it already
        // It may only have been slow, and there must not be two.
        takeAway(id, "replaced").catch(() => {
          // It was never shown, as it should be.
        });
        throw error;
      });
    },
    async closeDiff(id, reason) {
      const draft = held.get(id)?.text;
      if (reason !== "shutdown" || draft === undefined) return takeAway(id, reason);
      // The editor ends, or has asked for the end: it takes its windows away, and has sent what was typed.
      held.delete(id);
      return draft;
    },
    async readDiff(id) {
      const { method, answer } = messages.readDiff;
      return (await ask(method, { id }, { limit: limits.text, answer })).content;
    },
    async updateDiff(proposal, { seen, text: content, state }) {
      const { method, answer, params: schema } = messages.updateDiff;
      const { text: original, notes } = originalOf(proposal);
      const params = schema.parse({ ...proposal, original, notes, seen, content, state });
      const shown = await ask(method, params, { limit: limits.text, answer });
      const diff = held.get(proposal.id);
      if (diff) diff.text = shown.content;
      return shown.content;
    },
  };
}

function describeIssues({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.join(".") || "it"}: ${message}`).join("; ");
}
