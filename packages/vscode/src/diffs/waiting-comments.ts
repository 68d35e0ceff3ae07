import { basename } from "node:path";
import type { Companion, CompanionEvent, RecoveredComments } from "ide-companion";
import { toMessage as toPrompt } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { Announcements } from "../announcements.ts";
import { toMessage } from "../plain-text.ts";

/** Announces, lists, sends, copies and discards comments that no agent has received. */
export interface WaitingCommentsUi extends vscode.Disposable {
  /** To be called when the companion has started. */
  attach(companion: Pick<Companion, "comments" | "sendComments">): void;
  handle(event: CompanionEvent): void;
  /** Announces nothing from now on, because the window ends. The next window does. */
  end(): void;
}

export function createWaitingComments(memory: vscode.Memento): WaitingCommentsUi {
  const { commands, env, l10n, window } = vscode;
  let companion: Pick<Companion, "comments" | "sendComments"> | undefined;
  const list = () => companion?.comments.list() ?? [];
  const announcements = new Announcements({ memory, key: "answeredComments", list });
  /** Comments whose offer the user has not answered, oldest first. */
  let offered: readonly RecoveredComments[] = [];
  /** Ids of the comments that our last copy has put on the clipboard. */
  let copied: readonly string[] = [];
  /** Each copy waits for the one before it, so that the last one stays. */
  let copying = Promise.resolve();

  function copy(...all: readonly RecoveredComments[]): Promise<void> {
    const write = async () => {
      await env.clipboard.writeText(all.map(toPrompt).join("\n\n"));
      copied = all.map(({ id }) => id);
    };
    copying = copying.then(write, write);
    return copying;
  }

  function refresh(): void {
    if (announcements.hasEnded) return;
    void commands.executeCommand("setContext", "ideCompanion.commentsWait", list().length);
  }

  function check(): void {
    refresh();
    for (const waiting of announcements.news) void announce(waiting);
  }

  async function announce(waiting: RecoveredComments): Promise<void> {
    const show = l10n.t("Show my comments");
    const message = l10n.t("Your comments on {0} wait. {1}", basename(waiting.filePath), waiting.reason);
    if ((await announcements.show([waiting], message, show)) === show) await decide(waiting);
  }

  /**
   * The user has sent these, and the agent's prompt was out of reach. They join those for the same agent that are
   * offered already: nobody may have pasted these yet.
   */
  async function offer(waiting: RecoveredComments): Promise<void> {
    const listed = list().map(({ id }) => id);
    const others = offered.filter(({ id }) => id !== waiting.id && listed.includes(id));
    offered = [...others, waiting];
    await copy(...offered.filter(({ agent }) => agent === waiting.agent));
    const done = l10n.t("Done");
    const message = l10n.t(
      "Your comments on {0} are on the clipboard: paste them into the prompt of {1}.",
      basename(waiting.filePath),
      waiting.agent,
    );
    const isDone = (await announcements.show([waiting], message, done)) === done;
    // Another copy has replaced them.
    if (isDone && !copied.includes(waiting.id)) return offer(waiting);
    offered = offered.filter(({ id }) => id !== waiting.id);
    if (isDone) discard(waiting);
  }

  /** Shows comments that wait, and lets the user choose what becomes of them. */
  async function decide(waiting: RecoveredComments): Promise<void> {
    const placeHolder = l10n.t("Your comments on {0}, for {1}", basename(waiting.filePath), waiting.agent);
    const texts = waiting.comments.map(({ startLine, text }) => ({
      label: `${startLine}: ${text.split("\n")[0]}`,
      kind: vscode.QuickPickItemKind.Separator,
    }));
    const actions = [
      {
        label: `$(terminal) ${l10n.t("Put them into the prompt of {0}", waiting.agent)}`,
        act: () => send(waiting),
      },
      { label: `$(copy) ${l10n.t("Copy them")}`, act: () => copy(waiting) },
      { label: `$(trash) ${l10n.t("Discard them")}`, act: () => discard(waiting) },
    ];
    const chosen = await window.showQuickPick([...texts, ...actions], { placeHolder });
    if (chosen && "act" in chosen) await chosen.act();
  }

  async function send(waiting: RecoveredComments): Promise<void> {
    const agent = await companion?.sendComments(waiting.id);
    if (agent === undefined) await offer(waiting);
    else reportSent(agent);
    refresh();
  }

  function discard({ id }: RecoveredComments): void {
    companion?.comments.discard(id);
    refresh();
  }

  const subscription = commands.registerCommand("ideCompanion.waitingComments", async () => {
    const all = list();
    if (all.length === 0) return window.showInformationMessage(l10n.t("No comments wait."));
    const items = all.map((waiting) => ({
      label: vscode.workspace.asRelativePath(waiting.filePath),
      description: `${waiting.agent}, ${new Date(waiting.at).toLocaleString()}`,
      detail: waiting.reason,
      waiting,
    }));
    const placeHolder = l10n.t("Comments that no agent has received");
    const chosen = await window.showQuickPick(items, { placeHolder });
    if (chosen) await decide(chosen.waiting);
    return undefined;
  });

  return {
    attach(running) {
      companion = running;
      announcements.start(check);
    },
    handle(event) {
      if (announcements.hasEnded) return;
      if (event.kind === "comments-changed") refresh();
      if (event.kind === "comments-delivered" && event.by === "prompt") reportSent(event.proposal.agent);
      if (event.kind === "comments-recovered")
        void (event.wasSent ? offer(event.comments) : announce(event.comments));
    },
    end: () => announcements.end(),
    dispose() {
      announcements.end();
      subscription.dispose();
    },
  };
}

function reportSent(agent: string): void {
  const message = vscode.l10n.t(
    "Your comments are in the prompt of {0}: press Enter there to send them.",
    agent,
  );
  void vscode.window.showInformationMessage(toMessage(message));
}
