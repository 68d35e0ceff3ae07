import type { Companion, CompanionEvent, RecoveredComments } from "ide-companion";
import { explainReason, toMessage as toPrompt } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { commands, l10n, window } from "vscode";
import { onCommand } from "../commands.ts";
import { inform } from "../messages.ts";
import { Announcements } from "../notifications.ts";
import { say } from "../wording.ts";
import { nameOf } from "../workspace.ts";
import { chooseFrom } from "./list-view.ts";

type CommentsCompanion = Pick<Companion, "comments" | "sendComments">;

/** Announces, lists, sends, copies and discards comments that no agent has received. */
export class WaitingComments implements vscode.Disposable {
  readonly #announcements: Announcements<RecoveredComments>;
  readonly #command: vscode.Disposable;
  readonly #companion: CommentsCompanion;
  /** Comments whose offer the user has not answered, oldest first. */
  #offered: readonly RecoveredComments[] = [];
  /** Ids of the comments that our last copy has put on the clipboard. */
  #copied: readonly string[] = [];
  /** Each copy waits for the one before it, so that the last one stays. */
  #copying = Promise.resolve();

  constructor(companion: CommentsCompanion, memory: vscode.Memento) {
    this.#companion = companion;
    const list = () => this.#list();
    this.#announcements = new Announcements({ memory, key: "answeredComments", list });
    this.#command = onCommand("waitingComments", () => this.#choose());
    this.#announcements.start(() => {
      this.#refresh();
      for (const waiting of this.#announcements.news) void this.#announce(waiting);
    });
  }

  handle(event: CompanionEvent): void {
    if (event.kind === "comments-changed") this.#refresh();
    if (event.kind === "comments-delivered" && event.by === "prompt") reportSent(event.proposal.agent);
    if (event.kind === "comments-recovered")
      void (event.wasSent ? this.#offer(event.comments) : this.#announce(event.comments));
  }

  dispose(): void {
    this.#announcements.dispose();
    this.#command.dispose();
  }

  #list(): readonly RecoveredComments[] {
    return this.#companion.comments.list();
  }

  #copy(...all: readonly RecoveredComments[]): Promise<void> {
    const write = async () => {
      await vscode.env.clipboard.writeText(all.map(toPrompt).join("\n\n"));
      this.#copied = all.map(({ id }) => id);
    };
    this.#copying = this.#copying.then(write, write);
    return this.#copying;
  }

  #refresh(): void {
    void commands.executeCommand("setContext", "ideCompanion.commentsWait", this.#list().length);
  }

  async #announce(waiting: RecoveredComments): Promise<void> {
    const show = l10n.t("Show my comments");
    const why = explainReason(waiting, say);
    const message = l10n.t("Your comments on {0} wait. {1}", nameOf(waiting.filePath), why);
    if ((await this.#announcements.show([waiting], message, show)) === show) await this.#decide(waiting);
  }

  /**
   * The user has sent these, and the agent's prompt was out of reach. They join those for the same agent that are
   * offered already: nobody may have pasted these yet.
   */
  async #offer(waiting: RecoveredComments): Promise<void> {
    const listed = this.#list().map(({ id }) => id);
    const others = this.#offered.filter(({ id }) => id !== waiting.id && listed.includes(id));
    this.#offered = [...others, waiting];
    await this.#copy(...this.#offered.filter(({ agent }) => agent === waiting.agent));
    const done = l10n.t("Done");
    const message = l10n.t(
      "Your comments on {0} are on the clipboard: paste them into the prompt of {1}.",
      nameOf(waiting.filePath),
      waiting.agent,
    );
    const isDone = (await this.#announcements.show([waiting], message, done)) === done;
    // Another copy has replaced them.
    if (isDone && !this.#copied.includes(waiting.id)) return this.#offer(waiting);
    this.#offered = this.#offered.filter(({ id }) => id !== waiting.id);
    if (isDone) this.#discard(waiting);
  }

  /** Lets the user choose comments that wait, then what becomes of them. */
  async #choose(): Promise<void> {
    const chosen = await chooseFrom({
      list: () => this.#list(),
      toRow: (waiting) => ({ detail: explainReason(waiting, say), contextValue: "comments" }),
      none: l10n.t("No comments wait."),
      placeHolder: l10n.t("Comments that no agent has received"),
    });
    if (chosen) await this.#decide(chosen);
  }

  /** Shows comments that wait, and lets the user choose what becomes of them. */
  async #decide(waiting: RecoveredComments): Promise<void> {
    const placeHolder = l10n.t("Your comments on {0}, for {1}", nameOf(waiting.filePath), waiting.agent);
    const texts = waiting.comments.map(({ startLine, text }) => ({
      label: `${startLine > 0 ? `${startLine}: ` : ""}${text.split("\n")[0]}`,
      kind: vscode.QuickPickItemKind.Separator,
    }));
    const actions = [
      {
        label: `$(terminal) ${l10n.t("Put them into the prompt of {0}", waiting.agent)}`,
        act: () => this.#send(waiting),
      },
      { label: `$(copy) ${l10n.t("Copy them")}`, act: () => this.#copy(waiting) },
      { label: `$(trash) ${l10n.t("Discard them")}`, act: () => this.#discard(waiting) },
    ];
    const chosen = await window.showQuickPick([...texts, ...actions], { placeHolder });
    if (chosen && "act" in chosen) await chosen.act();
  }

  async #send(waiting: RecoveredComments): Promise<void> {
    const agent = await this.#companion.sendComments(waiting.id);
    if (agent === undefined) await this.#offer(waiting);
    else reportSent(agent);
    this.#refresh();
  }

  #discard({ id }: RecoveredComments): void {
    this.#companion.comments.discard(id);
    this.#refresh();
  }
}

function reportSent(agent: string): void {
  const message = l10n.t("Your comments are in the prompt of {0}: press Enter there to send them.", agent);
  inform(message);
}
