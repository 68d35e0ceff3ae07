import type { Connection } from "vscode-languageserver";
import type { z } from "zod";
import type {
  CloseReason,
  Comment,
  Decision,
  DecisionResult,
  Editor,
  EditorContext,
  Proposal,
} from "../../core/editor.ts";
import { placeHunks } from "../../core/hunks.ts";
import { toSentence } from "../../core/sentences.ts";
import { pathLabel } from "../../files/workspace-path.ts";
import { type DecisionAnswer, type DraftAnswer, messages } from "../protocol/messages.ts";
import { comparisonOf } from "../protocol/original.ts";
import type { Client } from "./client.ts";
import type { Ask, Notifier } from "./notifier.ts";
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
  proposal: Proposal;
  readonly decide: (decision: Decision) => DecisionResult;
  /** Also for what comes after the decision. */
  readonly saveDraft: (text: string) => void;
  readonly saveComments: (comments: readonly Comment[]) => void;
  /** As the plugin reported last. */
  text: string;
}

/** An editor whose plugin speaks our own messages: it says what is open and shows diffs. */
export function createPluginEditor(options: PluginEditorOptions): Editor {
  const { client, connection, ask, notifier } = options;
  const diffs = new PluginDiffs(options);
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
    openDiff: (...diff) => diffs.open(...diff),
    closeDiff: (id, reason) => diffs.close(id, reason),
    readDiff: (id) => diffs.read(id),
    updateDiff: (proposal, rebase) => diffs.update(proposal, rebase),
  };
}

/** The proposals that a plugin shows. */
class PluginDiffs {
  readonly #ask: Ask;
  readonly #roots: () => readonly string[];
  /** Proposals that the plugin may still show. */
  readonly #held = new Map<string, Held>();
  /** The newest last. */
  readonly #accepted = new Map<string, Held>();

  constructor({ ask, roots }: Pick<PluginEditorOptions, "ask" | "roots">) {
    this.#ask = ask;
    this.#roots = roots;
  }

  listen(connection: PluginEditorOptions["connection"]): void {
    const { draft, comments, diffAccepted, diffRejected } = messages;
    connection.onRequest<DraftAnswer, void>(draft.method, (params: unknown) => {
      const { id, content } = draft.params.parse(params);
      const diff = this.#held.get(id) ?? this.#accepted.get(id);
      if (!diff) return null; // rejected meanwhile
      diff.text = content;
      diff.saveDraft(content);
      const { hunks, difference } = comparisonOf(diff.proposal, content);
      return { hunks, ...(difference !== undefined && { difference }) };
    });
    connection.onNotification(comments.method, (params: unknown) => {
      const parsed = comments.params.parse(params);
      this.#held.get(parsed.id)?.saveComments(parsed.comments);
    });
    connection.onRequest(diffAccepted.method, (params: unknown) => {
      const { id, ...accepted } = diffAccepted.params.parse(params);
      return this.#decide(id, { kind: "accepted", ...accepted });
    });
    connection.onRequest(diffRejected.method, (params: unknown) => {
      const { id, ...rejected } = diffRejected.params.parse(params);
      return this.#decide(id, { kind: "rejected", ...rejected });
    });
  }

  async open(...[proposal, decide, saveDraft, saveComments]: Parameters<Editor["openDiff"]>): Promise<void> {
    const { id, filePath, newContent, readOnlyReason } = proposal;
    const facts = comparisonOf(proposal);
    const { label } = await pathLabel(filePath, this.#roots());
    this.#held.set(id, { proposal, decide, saveDraft, saveComments, text: newContent });
    const { method, answer, params: schema } = messages.openDiff;
    const readOnly = readOnlyReason && { readOnlyReason: toSentence(readOnlyReason) };
    const params = schema.parse({ ...proposal, label, ...facts, ...readOnly });
    await this.#ask(method, params, { limit: limits.open, answer }).catch((error: unknown) => {
      if (this.#held.get(id)?.text !== newContent) return; // its user types in it already
      // It may only have been slow, and there must not be two.
      this.#takeAway(id, "replaced").catch(() => {
        // It was never shown, as it should be.
      });
      throw error;
    });
  }

  async close(id: string, reason: CloseReason): Promise<string> {
    const draft = this.#held.get(id)?.text;
    if (reason !== "shutdown" || draft === undefined) return this.#takeAway(id, reason);
    // The editor ends, or has asked for the end: it takes its windows away, and has sent what was typed.
    this.#held.delete(id);
    return draft;
  }

  async read(id: string): Promise<string> {
    const { method, answer } = messages.readDiff;
    return (await this.#ask(method, { id }, { limit: limits.text, answer })).content;
  }

  async update(
    ...[proposal, { seen, text: content, state }]: Parameters<NonNullable<Editor["updateDiff"]>>
  ): Promise<string> {
    const { method, answer, params: schema } = messages.updateDiff;
    const diff = this.#held.get(proposal.id);
    if (diff) diff.proposal = proposal;
    const facts = { ...comparisonOf(proposal, content), edits: placeHunks(seen, content) };
    const params = schema.parse({ ...proposal, ...facts, seen, content, state });
    const shown = await this.#ask(method, params, { limit: limits.text, answer });
    if (diff) diff.text = shown.content;
    return shown.content;
  }

  #decide(id: string, decision: Decision): DecisionAnswer {
    const diff = this.#held.get(id);
    if (!diff) return { taken: false, reason: toSentence({ code: "decided" }) };
    const result = diff.decide(decision);
    if (!result.taken) return { taken: false, reason: toSentence(result.reason) };
    this.#held.delete(id);
    if (decision.kind === "accepted") this.#accepted.set(id, diff);
    for (const oldest of this.#accepted.keys())
      if (this.#accepted.size > maxAccepted) this.#accepted.delete(oldest);
    return { taken: true, ...(result.notice && { notice: toSentence(result.notice) }) };
  }

  /** What was typed until the plugin has taken it away counts, however late we hear of it. */
  async #takeAway(id: string, reason: CloseReason): Promise<string> {
    const diff = this.#held.get(id);
    const forget = () => void this.#held.delete(id);
    const { method, answer } = messages.closeDiff;
    let isLate = false;
    const onLate = (asked: Promise<{ readonly content: string }>) => {
      isLate = true;
      asked.then(({ content }) => diff?.saveDraft(content)).then(forget, forget);
    };
    try {
      return (await this.#ask(method, { id, reason }, { limit: limits.text, answer, onLate })).content;
    } finally {
      if (!isLate) forget();
    }
  }
}

function describeIssues({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.join(".") || "it"}: ${message}`).join("; ");
}
