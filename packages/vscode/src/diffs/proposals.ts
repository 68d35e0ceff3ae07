import { basename } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Comment, Decision, DecisionResult, HideReason, Rebase, ShownChange } from "ide-companion";
import * as vscode from "vscode";
import { l10n, workspace } from "vscode";
import { inform, offer } from "../messages.ts";
import { OpenProposal } from "./open-proposal.ts";
import { proposalIdOf, silence } from "./proposal-documents.ts";
import { readOnlyReasonOf } from "./proposal-facts.ts";
import type { ProposalViews } from "./proposal-views.ts";

/**
 * When a diff fails to open, the window may be closing. The failure is reported only if the window still has the
 * proposal after this time, in milliseconds.
 */
const windowEnd = 2000;

/** How long what was typed may be with us alone, in milliseconds: to take all of a large text for each key would be slow. */
const saveDelay = 50;

/** Every proposal that waits for a decision in this window, with or without a tab. */
export class Proposals {
  readonly #views: ProposalViews;
  readonly #open = new Map<string, OpenProposal>();
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when a proposal opens, ends or is marked. */
  readonly onChange = this.#changed.event;
  /** Timers of proposals with unsaved edits, by id. */
  readonly #unsaved = new Map<string, NodeJS.Timeout>();
  readonly #subscriptions: vscode.Disposable[];

  constructor(views: ProposalViews) {
    this.#views = views;
    this.#subscriptions = [
      this.#changed,
      workspace.onDidOpenTextDocument((document) => this.#attach(document)),
      workspace.onDidCloseTextDocument((document) => this.at(document.uri)?.detach(document)),
      workspace.onDidChangeTextDocument(({ document }) => this.#saveSoon(document.uri)),
    ];
  }

  /** Oldest first. */
  get all(): readonly OpenProposal[] {
    return [...this.#open.values()].sort((one, other) => one.proposal.openedAt - other.proposal.openedAt);
  }

  /** The proposal whose proposed side has this URI. */
  at(uri: vscode.Uri | undefined): OpenProposal | undefined {
    const id = uri && proposalIdOf(uri);
    return id === undefined ? undefined : this.#open.get(id);
  }

  /** Of either side of a proposal. */
  textOf(uri: vscode.Uri): string {
    const wanted = uri.toString();
    const isStandIn = ({ original }: OpenProposal) => original.uri.toString() === wanted;
    return this.at(uri)?.text ?? this.all.find(isStandIn)?.original.text ?? "";
  }

  /** @throws Error when no diff can be shown */
  async open(change: ShownChange): Promise<void> {
    const { id } = change;
    const opened = new OpenProposal(change);
    const name = basename(change.proposal.filePath);
    opened.needsFolder = this.all.some((other) => basename(other.proposal.filePath) === name);
    this.#open.set(id, opened);
    // The window may end while it is being shown: what waits is recorded before.
    this.#changed.fire();
    try {
      await this.#views.show(opened, this.all);
    } catch (error) {
      await delay(windowEnd);
      if (!this.#open.has(id)) return;
      this.#forget(opened);
      throw error;
    }
    opened.shownAt = performance.now();
    this.#changed.fire();
    if (opened.isReadOnly && !(await this.#views.showsLenses())) void this.#explain(opened);
  }

  /** Closes it, once its change has the text as it stands. */
  async close(change: ShownChange, reason: HideReason): Promise<void> {
    const open = this.#expect(change);
    open.flush();
    this.#forget(open);
    // VS Code closes the tabs of a window that ends.
    if (reason !== "shutdown") await this.#views.close(open);
  }

  /** Shows it against its file as it is now, unless its text is another one than `seen` or the user types in it. */
  async update(change: ShownChange, { seen, text }: Rebase): Promise<void> {
    const open = this.#expect(change);
    if (open.text !== seen || this.#views.isTypedIn(open) || !(await open.replace(text))) return;
    const before = open.original.uri;
    change.write(text);
    open.rebased();
    await this.#views.follow(open, before);
    this.#changed.fire();
  }

  /** Its change has the text as it stands then. */
  flush(change: ShownChange): void {
    this.#expect(change).flush();
  }

  /** Decides for the user, and closes the proposal if the decision counts. @param options as `ProposalViews.close` */
  async decide(
    proposal: OpenProposal,
    decision: Decision,
    options: Parameters<ProposalViews["close"]>[1],
  ): Promise<DecisionResult> {
    // What an agent takes no edits of outlasts a rejection, what was typed last included.
    const isReadOnly = proposal.proposal.readOnlyReason !== undefined;
    if (decision.kind === "accepted" || (isReadOnly && proposal.isEdited)) proposal.flush();
    const result = proposal.change.decide(decision);
    if (!result.taken) return result;
    this.#forget(proposal);
    await this.#views.close(proposal, options);
    return result;
  }

  /** Lets the user edit a read-only proposal. */
  async editOwnVersion(open: OpenProposal): Promise<void> {
    if (!open.isReadOnly) return;
    open.ownVersion = true;
    await this.#views.makeEditable(open);
    this.#changed.fire();
    const message = l10n.t(
      "Accepting lets {0} write its own text. After that your version is offered.",
      open.proposal.agent,
    );
    inform(message);
  }

  setComments(open: OpenProposal, comments: readonly Comment[]): void {
    open.change.saveComments(comments);
    this.#changed.fire();
  }

  setViewed(proposal: OpenProposal, key: string, isViewed: boolean): void {
    proposal.setViewed(key, isViewed);
    this.#changed.fire();
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  #attach(document: vscode.TextDocument): void {
    const proposal = this.at(document.uri);
    if (!proposal) return;
    proposal.attach(document);
    void silence(document);
  }

  /** Says why a proposal is read-only where no code lens does. */
  async #explain(open: OpenProposal): Promise<void> {
    await offer(readOnlyReasonOf(open) ?? "", l10n.t("Edit My Own Version"), async () => {
      if (this.#open.has(open.id)) await this.editOwnVersion(open);
    });
  }

  #saveSoon(uri: vscode.Uri): void {
    const open = this.at(uri);
    if (!open || this.#unsaved.has(open.proposal.id)) return;
    const save = () => {
      this.#unsaved.delete(open.proposal.id);
      open.flush();
    };
    this.#unsaved.set(open.proposal.id, setTimeout(save, saveDelay));
  }

  #forget({ proposal }: OpenProposal): void {
    clearTimeout(this.#unsaved.get(proposal.id));
    this.#unsaved.delete(proposal.id);
    if (this.#open.delete(proposal.id)) this.#changed.fire();
  }

  #expect({ id }: ShownChange): OpenProposal {
    const proposal = this.#open.get(id);
    if (!proposal) throw new Error(`no diff ${id} is open`);
    return proposal;
  }
}
