import type { Connection } from "vscode-languageserver";
import type { CloseReason, Decision, DiffState, Editor, Proposal } from "../../core/editor.ts";
import { placeHunks } from "../../core/hunks.ts";
import { type Notice, toSentence } from "../../core/sentences.ts";
import { pathLabel } from "../../files/workspace-path.ts";
import { type DecisionAnswer, type DraftAnswer, messages } from "../protocol/messages.ts";
import { comparisonOf } from "../protocol/original.ts";
import { wordsOf } from "./diff-state.ts";
import type { Ask } from "./notifier.ts";

/** How long a plugin may take to show a diff or a file, or to give back a text or diagnostics, in milliseconds. */
export const limits = { open: 10_000, text: 5_000 } as const;

/** Accepted proposals in which the user may have typed on until the plugin heard of it. */
const maxAccepted = 16;

/** A proposal that the plugin shows. */
export interface ShownChange {
  proposal: Proposal;
  readonly label: string;
  /** As the plugin reported last. */
  text: string;
  /** Where that differs from the file, and what else there is to know of it. */
  compared: ReturnType<typeof comparisonOf>;
  state: DiffState;
  /** How many comments of the user's there are. */
  comments: number;
}

type Opened = Parameters<Editor["openDiff"]>;

interface Held extends ShownChange {
  readonly decide: Opened[1];
  /** Also for what comes after the decision. */
  readonly saveDraft: Opened[2];
  readonly saveComments: Opened[3];
}

/** The proposals that a plugin shows. */
export class PluginDiffs {
  readonly #ask: Ask;
  readonly #roots: () => readonly string[];
  /** Proposals that the plugin may still show. */
  readonly #held = new Map<string, Held>();
  /** The newest last. */
  readonly #accepted = new Map<string, Held>();

  constructor({ ask, roots }: { readonly ask: Ask; readonly roots: () => readonly string[] }) {
    this.#ask = ask;
    this.#roots = roots;
  }

  /** Waiting changes that the plugin shows. */
  shown(waiting: readonly Proposal[]): readonly ShownChange[] {
    return waiting.flatMap(({ id }) => this.#held.get(id) ?? []);
  }

  listen(connection: Pick<Connection, "onNotification" | "onRequest">): void {
    const { draft, comments, diffAccepted, diffRejected } = messages;
    connection.onRequest<DraftAnswer, void>(draft.method, (params: unknown) => {
      const { id, content } = draft.params.parse(params);
      const diff = this.#held.get(id) ?? this.#accepted.get(id);
      if (!diff) return null; // rejected meanwhile
      diff.text = content;
      diff.saveDraft(content);
      diff.compared = comparisonOf(diff.proposal, content, diff.state);
      const { hunks, facts } = diff.compared;
      return { hunks, facts };
    });
    connection.onNotification(comments.method, (params: unknown) => {
      const parsed = comments.params.parse(params);
      const diff = this.#held.get(parsed.id);
      if (!diff) return;
      diff.comments = parsed.comments.length;
      diff.saveComments(parsed.comments);
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

  async open(...[proposal, decide, saveDraft, saveComments]: Opened): Promise<void> {
    const { id, filePath, newContent, readOnlyReason } = proposal;
    const compared = comparisonOf(proposal);
    const { label } = await pathLabel(filePath, this.#roots());
    const shown = { proposal, label, text: newContent, compared, state: "current", comments: 0 } as const;
    this.#held.set(id, { ...shown, decide, saveDraft, saveComments });
    const { method, answer, params: schema } = messages.openDiff;
    const readOnly = readOnlyReason && { readOnlyReason: toSentence(readOnlyReason) };
    const params = schema.parse({ ...proposal, label, ...compared, ...readOnly });
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
    const compared = comparisonOf(proposal, content, state);
    const words = wordsOf(state, proposal.agent, proposal.filePath);
    const edits = placeHunks(seen, content);
    const params = schema.parse({ ...proposal, ...compared, edits, seen, content, state, words });
    if (diff) Object.assign(diff, { proposal, state });
    const shown = await this.#ask(method, params, { limit: limits.text, answer });
    if (diff) Object.assign(diff, { text: shown.content, ...(shown.content === content && { compared }) });
    return shown.content;
  }

  #decide(id: string, decision: Decision): DecisionAnswer {
    const diff = this.#held.get(id);
    if (!diff) return refused({ code: "decided" });
    const result = diff.decide(decision);
    if (!result.taken) return refused(result.reason);
    this.#held.delete(id);
    if (decision.kind === "accepted") this.#accepted.set(id, diff);
    for (const oldest of this.#accepted.keys())
      if (this.#accepted.size > maxAccepted) this.#accepted.delete(oldest);
    const { notice } = result;
    return { taken: true, ...(notice && { code: notice.code, notice: toSentence(notice) }) };
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

const refused = (why: Notice): DecisionAnswer => ({ taken: false, code: why.code, reason: toSentence(why) });
