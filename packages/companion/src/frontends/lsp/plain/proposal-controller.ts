import { writeFileSync } from "node:fs";
import { basename } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Decision, Rebase, ShownChange } from "../../../core/editor.ts";
import { toSentence } from "../../../core/sentences.ts";
import type { Keys } from "../../../editors/editor-record.ts";
import { steersTerminals } from "../../../files/safe-text.ts";
import { readIfThere } from "../../../system/disk.ts";
import { originalOf } from "../../protocol/original.ts";
import { wordsOf } from "../diff-state.ts";
import type { TierOptions } from "../tier.ts";
import type { OpenDocument } from "./document.ts";
import type { Documents } from "./documents.ts";
import type { ProposalFolder } from "./proposal-folder.ts";
import { ReviewedProposal, reload } from "./reviewed-proposal.ts";
import type { Staging } from "./staging.ts";

/** Without a key, in milliseconds, before a document opens unasked: in many editors it takes the focus, and the next keys. */
const rest = 5000;

/** How long an editor may take to report an edit that it says it has made: so many pauses of so many milliseconds. */
const reportWaits = 100;
const reportPause = 10;

/** Without a key, in milliseconds, before a document changes under its user. */
const keyPause = 1000;

interface ProposalControllerOptions extends Pick<TierOptions, "client" | "notifier"> {
  readonly folder: ProposalFolder;
  readonly staging: Staging;
  readonly documents: Documents;
}

/** A proposal that has come, and what becomes of its document. */
export interface Arrival {
  readonly reviewed: ReviewedProposal;
  /** Settles once its document is shown, or cannot be; undefined when it is shown already. */
  readonly shown?: Promise<void>;
}

/** The proposals that lie in the editor as documents. */
export class ProposalController {
  readonly #options: ProposalControllerOptions;
  readonly #open = new Map<string, ReviewedProposal>();
  /** By path: those that have ended, and whose document is still open. The user may type on in it. */
  readonly #ended = new Map<string, ReviewedProposal>();

  constructor(options: ProposalControllerOptions) {
    this.#options = options;
  }

  find(id: string): ReviewedProposal | undefined {
    return this.#open.get(id);
  }

  at(path: string): ReviewedProposal | undefined {
    return [...this.#open.values()].find((reviewed) => reviewed.path === path);
  }

  /** The one that the user looked at last; the oldest when none was. */
  get current(): ReviewedProposal | undefined {
    return this.#all.sort((one, other) => this.#focusedAt(other) - this.#focusedAt(one))[0];
  }

  /** Those that wait: first the ones that the user has not looked at, or not for the longest time. */
  get waiting(): readonly ReviewedProposal[] {
    return this.#all.sort((one, other) => this.#focusedAt(one) - this.#focusedAt(other));
  }

  get #all(): ReviewedProposal[] {
    return [...this.#open.values()];
  }

  #focusedAt({ path }: ReviewedProposal): number {
    return this.#options.documents.at(path)?.focusedAt ?? 0;
  }

  /**
   * Shows it at once, or as soon as the user's keys rest or ask for it.
   * @throws Error when the editor does not show it.
   */
  async open(change: ShownChange): Promise<Arrival> {
    const { client, folder, staging, documents } = this.#options;
    const { id, proposal } = change;
    const { newContent } = proposal;
    originalOf(proposal); // throws for a folder, of which nothing is to be written
    if (!client.showsDocuments) throw new Error(`${client.info.displayName} opens no document when asked to`);
    if (client.sendsControls && steersTerminals(newContent)) {
      throw new Error(`${client.info.displayName} would let the text steer the terminal`);
    }
    const path = folder.write(id, proposal, newContent);
    const reviewed = new ReviewedProposal({
      change,
      path,
      readFile: () => readIfThere(path) ?? newContent,
      document: () => documents.at(path),
      returnsEndLines: !client.returnsEndNoLines,
      mark: () => staging.mark(reviewed),
      // Closing its document is a decision; saving it is none.
      onClosed: () => this.settle(reviewed, "rejected"),
    });
    this.#open.set(id, reviewed);
    if (documents.idleFor < rest) return { reviewed, shown: this.#showAtRest(reviewed) };
    await staging.show(reviewed).catch((error: unknown) => {
      this.#takeAway(reviewed);
      throw error;
    });
    return { reviewed };
  }

  async #showAtRest(reviewed: ReviewedProposal): Promise<void> {
    const { staging, documents } = this.#options;
    const signal = reviewed.ended;
    for (let wait = rest - documents.idleFor; wait > 0; wait = rest - documents.idleFor) {
      const isOpened = await Promise.race([
        reviewed.isOpened.then(() => true),
        delay(wait, false, { ref: false, signal }),
      ]);
      if (isOpened) return;
    }
    if (!documents.at(reviewed.path)) await staging.show(reviewed);
  }

  /**
   * Takes it away, once its change has the text as it stands. At the end of everything the editor is not to be asked for
   * anything any more.
   * @throws Error when it is not here.
   */
  close({ id }: ShownChange, isEnd: boolean): void {
    const reviewed = this.#expect(id);
    reviewed.write();
    if (isEnd) this.#forget(reviewed);
    else this.#takeAway(reviewed);
  }

  /** Shows a proposal against its file as it is now, unless its user types. */
  async update(change: ShownChange, { proposal, seen, text, state }: Rebase): Promise<void> {
    const { staging, notifier, documents } = this.#options;
    const reviewed = this.#expect(change.id);
    if (reviewed.text !== seen || documents.idleFor < keyPause) return;
    const edits = reviewed.editsTo(text);
    if (!documents.at(reviewed.path)) writeFileSync(reviewed.path, text);
    else if (edits.length > 0) await staging.edit("Follow the file", { changes: { [reviewed.uri]: edits } });
    // Helix may answer before it reports the edit.
    for (let waits = 0; edits.length > 0 && reviewed.text === seen && waits < reportWaits; waits += 1)
      await delay(reportPause);
    reviewed.write();
    if (reviewed.text !== text) return; // the user has typed meanwhile
    const { text: former } = reviewed.original;
    reviewed.rebased();
    staging.mark(reviewed);
    const [sentence] = wordsOf(state, proposal.agent, proposal.filePath);
    if (sentence !== undefined && former !== reviewed.original.text)
      notifier.show(state === "clash" || state === "stale" ? "warning" : "info", sentence);
  }

  /** Its change has the text as it stands then. @throws Error when it is not here. */
  flush({ id }: ShownChange): void {
    this.#expect(id).write();
  }

  /** The user has decided; the user reads whether it counts. */
  settle(reviewed: ReviewedProposal, kind: Decision["kind"]): void {
    const { readOnlyReason } = reviewed.proposal;
    // Edits that its agent cannot take outlast a rejection, what was typed last included.
    if (kind === "accepted" || (readOnlyReason !== undefined && this.#options.documents.at(reviewed.path)))
      reviewed.write();
    const result = reviewed.change.decide({ kind });
    if (result.taken) {
      if (result.notice !== undefined) this.#options.notifier.show("info", toSentence(result.notice));
      this.#takeAway(reviewed, kind);
    } else this.#options.notifier.show("warning", toSentence(result.reason));
  }

  /** Something has happened to a document of ours. */
  take({ path }: OpenDocument, what: "opened" | "edited" | "closed"): void {
    const reviewed = this.at(path) ?? this.#ended.get(path);
    if (!reviewed) return; // one that was rejected, or of before: the editor keeps it
    reviewed[what]();
    if (what === "closed") this.#ended.delete(path);
  }

  /** @param outcome of the user's own decision; undefined when it was made elsewhere */
  #takeAway(reviewed: ReviewedProposal, outcome?: Decision["kind"]): void {
    const { client, folder, staging, documents, notifier } = this.#options;
    this.#forget(reviewed);
    const isOpen = () => documents.at(reviewed.path) !== undefined;
    // What is typed before the editor has closed it counts.
    if (isOpen() && outcome !== "rejected") this.#ended.set(reviewed.path, reviewed);
    staging
      .strike(reviewed, isOpen())
      .catch((error: Error) => notifier.log(`The proposal's document stays open: ${error.message}`))
      .finally(() => {
        folder.remove(reviewed.proposal.id);
        setTimeout(() => {
          // Some editors delete the file and keep the document.
          if (isOpen()) notifier.show("info", describeEnd(basename(reviewed.path), outcome, client.keys));
        }, reload).unref();
      });
  }

  #forget(reviewed: ReviewedProposal): void {
    this.#open.delete(reviewed.proposal.id);
    reviewed.end();
  }

  #expect(id: string): ReviewedProposal {
    const reviewed = this.find(id);
    if (!reviewed) throw new Error(`no diff ${id} is open`);
    return reviewed;
  }
}

/** Keys first: what comes last may be cut. */
function describeEnd(name: string, outcome: Decision["kind"] | undefined, keys: Keys | undefined): string {
  const decided = `${name} is ${outcome ?? "decided"}`;
  if (!keys) return `${decided}: close the proposal.`;
  const reload = outcome === "rejected" ? "" : `, ${keys.reload} loads what was written`;
  return `${keys.close} closes the proposal${reload}: ${decided}.`;
}
