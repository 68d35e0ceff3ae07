import type { Connection } from "vscode-languageserver";
import type { CommentChanges, Decision, HideReason, Rebase, ShownChange } from "../../core/editor.ts";
import { hunksOf, placeHunks } from "../../core/hunks.ts";
import { type Notice, toSentence } from "../../core/sentences.ts";
import { pathLabel } from "../../files/workspace-path.ts";
import { KnownChanges } from "../known-changes.ts";
import { type DecisionAnswer, messages } from "../protocol/messages.ts";
import { comparisonOf } from "../protocol/original.ts";
import { whyHidden, wordsOf } from "./diff-state.ts";
import { type Ask, type Notifier, serve } from "./notifier.ts";
import { PluginComments } from "./plugin-comments.ts";
import type { TierOptions } from "./tier.ts";

/** How long a plugin may take to show a diff or a file, or to give back a text or diagnostics, in milliseconds. */
export const limits = { open: 10_000, text: 5_000 } as const;

/** A change that the plugin shows. */
export interface PluginChange {
  readonly change: ShownChange;
  readonly label: string;
  readonly comments: PluginComments;
  /** What the plugin compares it with. */
  original: string;
}

/** The changes that a plugin shows. */
export class PluginDiffs {
  readonly #ask: Ask;
  readonly #notifier: Pick<Notifier, "notify">;
  readonly #roots: () => readonly string[];
  readonly #known = new KnownChanges<PluginChange>();

  constructor({ ask, notifier, roots }: Pick<TierOptions, "ask" | "notifier" | "roots">) {
    this.#ask = ask;
    this.#notifier = notifier;
    this.#roots = roots;
  }

  /** Changes that the plugin shows, oldest first. */
  get waiting(): readonly PluginChange[] {
    return this.#known.waiting;
  }

  listen(connection: Pick<Connection, "onNotification" | "onRequest">): void {
    serve(connection, messages.draft, ({ id, content }) => {
      const known = this.#known.get(id);
      if (!known) return null; // rejected meanwhile
      this.#write(known.change, content);
      const { hunks, facts } = comparisonOf(known.change);
      return { hunks, facts, comments: known.comments.shownAmong(hunks) };
    });
    serve(connection, messages.comment, (written) => {
      const known = this.#known.get(written.id);
      if (!known || known.change.isOver) return null;
      const { change, comments, original } = known;
      comments.write(written, written.side === "original" ? original : change.text);
      change.saveComments(comments.all);
      return { comments: comments.shownAmong(change.hunks) };
    });
    serve(connection, messages.diffAccepted, ({ id, content, withComments = false, ...accepted }) =>
      this.#decide(id, { kind: "accepted", ...accepted }, withComments, content),
    );
    serve(connection, messages.diffRejected, ({ id, withComments = false }) =>
      this.#decide(id, { kind: "rejected" }, withComments),
    );
  }

  async show(change: ShownChange): Promise<void> {
    const { id, proposal } = change;
    const { filePath, newContent, readOnlyReason } = proposal;
    const compared = comparisonOf(change);
    const { label } = await pathLabel(filePath, this.#roots());
    const original = compared.original ?? "";
    this.#known.add(id, { change, label, comments: new PluginComments(), original });
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
    if (this.#write(change, content)) this.#tellComments(change.id);
  }

  /** The user has written comments in another view. */
  mergeComments({ id }: ShownChange, changes: CommentChanges): void {
    this.#known.get(id)?.comments.merge(changes);
    this.#tellComments(id);
  }

  async update(change: ShownChange, { proposal, seen, text, state }: Rebase): Promise<void> {
    const compared = comparisonOf({ proposal, text, state, hunks: hunksOf(proposal, text) });
    const words = wordsOf(state, proposal.agent, proposal.filePath);
    const edits = placeHunks(seen, text);
    const update = { ...proposal, ...compared, edits, seen, content: text, state, words };
    const params = messages.updateDiff.params.parse(update);
    const { content } = await this.#ask(messages.updateDiff, params, { limit: limits.text });
    const known = this.#known.get(change.id);
    this.#write(change, content);
    if (!known) return;
    if (content === text) {
      const { original } = known;
      known.original = compared.original ?? "";
      if (known.comments.follow("original", original, known.original))
        change.saveComments(known.comments.all);
    }
    // What is next to their lines may be another one, also where these have not moved.
    if (known.comments.all.length > 0) this.#tellComments(change.id);
  }

  #tellComments(id: string): void {
    const known = this.#known.get(id);
    if (!known) return;
    const comments = known.comments.shownAmong(known.change.hunks);
    this.#notifier.notify(messages.comments.method, { id, comments });
  }

  /** The plugin's text is this one. @returns whether a comment has moved with it */
  #write(change: ShownChange, content: string): boolean {
    const { text } = change;
    change.write(content);
    const comments = this.#known.get(change.id)?.comments;
    const haveMoved = comments?.follow("proposed", text, content) ?? false;
    if (comments && haveMoved) change.saveComments(comments.all);
    return haveMoved;
  }

  /** @param content the text that is accepted */
  #decide(id: string, decision: Decision, withComments: boolean, content?: string): DecisionAnswer {
    const known = this.#known.get(id);
    if (!known) return refused({ code: "decided" });
    const { change, comments } = known;
    if (content !== undefined) this.#write(change, content);
    const result = change.decide({ ...decision, ...(withComments && { comments: comments.all }) });
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
