import type { Connection } from "vscode-languageserver";
import type { Decision, HideReason, Rebase, ShownChange } from "../../core/editor.ts";
import { hunksOf, placeHunks } from "../../core/hunks.ts";
import { type Notice, toSentence } from "../../core/sentences.ts";
import { pathLabel } from "../../files/workspace-path.ts";
import { KnownChanges } from "../known-changes.ts";
import { type DecisionAnswer, messages } from "../protocol/messages.ts";
import { comparisonOf } from "../protocol/original.ts";
import { whyHidden, wordsOf } from "./diff-state.ts";
import { type Ask, serve } from "./notifier.ts";

/** How long a plugin may take to show a diff or a file, or to give back a text or diagnostics, in milliseconds. */
export const limits = { open: 10_000, text: 5_000 } as const;

/** A change that the plugin shows. */
export interface PluginChange {
  readonly change: ShownChange;
  readonly label: string;
}

/** The changes that a plugin shows. */
export class PluginDiffs {
  readonly #ask: Ask;
  readonly #roots: () => readonly string[];
  readonly #known = new KnownChanges<PluginChange>();

  constructor({ ask, roots }: { readonly ask: Ask; readonly roots: () => readonly string[] }) {
    this.#ask = ask;
    this.#roots = roots;
  }

  /** Changes that the plugin shows, oldest first. */
  get waiting(): readonly PluginChange[] {
    return this.#known.waiting;
  }

  listen(connection: Pick<Connection, "onNotification" | "onRequest">): void {
    serve(connection, messages.draft, ({ id, content }) => {
      const change = this.#known.get(id)?.change;
      if (!change) return null; // rejected meanwhile
      change.write(content);
      const { hunks, facts } = comparisonOf(change);
      return { hunks, facts };
    });
    connection.onNotification(messages.comments.method, (params: unknown) => {
      const { id, comments } = messages.comments.params.parse(params);
      this.#known.get(id)?.change.saveComments(comments);
    });
    serve(connection, messages.diffAccepted, ({ id, content, ...accepted }) =>
      this.#decide(id, { kind: "accepted", ...accepted }, content),
    );
    serve(connection, messages.diffRejected, ({ id, ...rejected }) =>
      this.#decide(id, { kind: "rejected", ...rejected }),
    );
  }

  async show(change: ShownChange): Promise<void> {
    const { id, proposal } = change;
    const { filePath, newContent, readOnlyReason } = proposal;
    const compared = comparisonOf(change);
    const { label } = await pathLabel(filePath, this.#roots());
    this.#known.add(id, { change, label });
    const readOnly = readOnlyReason && { readOnlyReason: toSentence(readOnlyReason) };
    const params = messages.openDiff.params.parse({ ...proposal, label, ...compared, ...readOnly });
    await this.#ask(messages.openDiff, params, { limit: limits.open }).catch((error: unknown) => {
      if (change.text !== newContent) return; // its user types in it already
      // It may only have been slow, and there must not be two.
      this.#known.forget(id);
      this.#takeAway(change, "replaced", (text) => text !== newContent && change.write(text)).catch(() => {
        // It was never shown, as it should be.
      });
      throw error;
    });
  }

  async hide(change: ShownChange, reason: HideReason): Promise<void> {
    // The editor ends, or has asked for the end: it takes its windows away, and has sent what was typed.
    if (reason !== "shutdown") await this.#takeAway(change, reason, (text) => change.write(text));
  }

  async flush(change: ShownChange): Promise<void> {
    const { content } = await this.#ask(messages.readDiff, { id: change.id }, { limit: limits.text });
    change.write(content);
  }

  async update(change: ShownChange, { proposal, seen, text, state }: Rebase): Promise<void> {
    const compared = comparisonOf({ proposal, text, state, hunks: hunksOf(proposal, text) });
    const words = wordsOf(state, proposal.agent, proposal.filePath);
    const edits = placeHunks(seen, text);
    const update = { ...proposal, ...compared, edits, seen, content: text, state, words };
    const params = messages.updateDiff.params.parse(update);
    const { content } = await this.#ask(messages.updateDiff, params, { limit: limits.text });
    change.write(content);
  }

  /** @param content the text that is accepted */
  #decide(id: string, decision: Decision, content?: string): DecisionAnswer {
    const change = this.#known.get(id)?.change;
    if (!change) return refused({ code: "decided" });
    if (content !== undefined) change.write(content);
    const result = change.decide(decision);
    if (!result.taken) return refused(result.reason);
    // What is typed until the plugin has heard of an acceptance counts.
    if (decision.kind === "rejected") this.#known.forget(id);
    const { notice } = result;
    return { taken: true, ...(notice && { code: notice.code, notice: toSentence(notice) }) };
  }

  /** What was typed until the plugin has taken it away counts, however late we hear of it. */
  async #takeAway(
    { id, proposal }: ShownChange,
    reason: HideReason,
    write: (text: string) => unknown,
  ): Promise<void> {
    const onLate = (asked: Promise<{ readonly content: string }>) => {
      asked.then(({ content }) => write(content)).catch(() => {}); // the plugin has ended
    };
    const params = { id, reason, words: whyHidden(reason, proposal.agent) };
    write((await this.#ask(messages.closeDiff, params, { limit: limits.text, onLate })).content);
  }
}

const refused = (why: Notice): DecisionAnswer => ({ taken: false, code: why.code, reason: toSentence(why) });
