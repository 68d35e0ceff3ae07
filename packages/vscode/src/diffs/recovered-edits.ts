import { basename } from "node:path";
import type { CompanionEvent, Edits, RecoveredEditsSummary } from "ide-companion";
import { isInside } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { toMessage } from "../plain-text.ts";
import { openRoots } from "../roots.ts";
import { activeEditsId, closeEdits, provideEdits, showEdits } from "./edits-documents.ts";
import { chooseEdits, confirmDiscarding, EditsView } from "./edits-list.ts";
import type { OpenProposal } from "./open-proposal.ts";
import { restoreEdits } from "./restore-edits.ts";

/** When to look for what a window before this one has left, besides at once; in milliseconds. */
const looks = [2000, 5000, 10_000, 20_000];

/** Of more than these at once, one notification speaks for all. */
const mostNotifications = 3;

/** Ids that the user has answered a notification of. */
const answeredKey = "answeredEdits";

/** What the user typed in proposals and no file holds: announced, listed, shown, restored and discarded. */
export interface RecoveredEditsUi extends vscode.Disposable {
  /** The companion is there. */
  attach(edits: Edits): void;
  take(event: CompanionEvent): void;
  /** Keeps what the user typed in a proposal that ends without its agent's asking. @param reason a sentence for the user */
  keep(open: OpenProposal, reason: string): void;
  /** The window ends: nothing is announced any more; the next window does that. */
  end(): void;
}

export function createRecoveredEdits(memory: vscode.Memento): RecoveredEditsUi {
  const { commands, l10n, window, workspace } = vscode;
  let edits: Edits | undefined;
  let hasEnded = false;
  let timers: readonly NodeJS.Timeout[] = [];
  const announced = new Set<string>();
  const list = () => edits?.list() ?? [];
  const view = new EditsView(list);

  function refresh(): void {
    if (hasEnded) return;
    view.refresh();
    void commands.executeCommand("setContext", "ideCompanion.recovered", list().length);
  }

  /** Those of this window's folders: another window, or another editor, announces its own. */
  function announceAll(): void {
    const answered = memory.get<readonly string[]>(answeredKey, []);
    const isHere = ({ filePath }: RecoveredEditsSummary) =>
      openRoots().some((root) => isInside(filePath, root));
    const news = list().filter(
      (each) => isHere(each) && !announced.has(each.id) && !answered.includes(each.id),
    );
    if (news.length > mostNotifications) void announceMany(news);
    else for (const each of news) void announce(each);
  }

  async function announce(news: RecoveredEditsSummary): Promise<void> {
    const name = basename(news.filePath);
    const message = l10n.t("Your edits of {0} are recovered. {1}", name, news.reason);
    const show = l10n.t("Show my edits");
    if (await isAccepted(message, show, [news])) await showEdits(news);
  }

  async function announceMany(news: readonly RecoveredEditsSummary[]): Promise<void> {
    const message = l10n.t("Your edits of {0} proposed changes are recovered.", news.length);
    const show = l10n.t("Show my edits");
    if (await isAccepted(message, show, news)) await commands.executeCommand("ideCompanion.recoveredEdits");
  }

  async function isAccepted(
    message: string,
    action: string,
    news: readonly RecoveredEditsSummary[],
  ): Promise<boolean> {
    const ids = news.map(({ id }) => id);
    for (const id of ids) announced.add(id);
    const answer = await window.showWarningMessage(toMessage(message), action);
    // That was no answer: the next window asks again.
    if (hasEnded) return false;
    const known = new Set(list().map(({ id }) => id));
    const answered = [...memory.get<readonly string[]>(answeredKey, []), ...ids];
    await memory.update(
      answeredKey,
      answered.filter((id) => known.has(id)),
    );
    return answer === action;
  }

  /** Those of the view, or those that are looked at, or those that the user chooses. */
  async function find(meant: unknown): Promise<RecoveredEditsSummary | undefined> {
    const id = isSummary(meant) ? meant.id : activeEditsId();
    return id === undefined ? chooseEdits(list()) : list().find((each) => each.id === id);
  }

  async function restore(meant: unknown): Promise<void> {
    const found = await find(meant);
    const whole = found && edits?.read(found.id);
    if (!whole) return;
    await closeEdits(whole.id);
    await restoreEdits(whole);
  }

  async function discard(meant: unknown): Promise<void> {
    const found = await find(meant);
    if (!found || !(await confirmDiscarding(found))) return;
    edits?.discard(found.id);
    await closeEdits(found.id);
    refresh();
  }

  const subscriptions = vscode.Disposable.from(
    view,
    provideEdits(() => edits),
    commands.registerCommand("ideCompanion.recoveredEdits", async (meant: unknown) => {
      const found = isSummary(meant) ? meant : await chooseEdits(list());
      if (found) await showEdits(found);
    }),
    commands.registerCommand("ideCompanion.restoreEdits", restore),
    commands.registerCommand("ideCompanion.discardEdits", discard),
    // A file that holds them now has them: they leave the list.
    workspace.onDidSaveTextDocument(refresh),
  );
  const look = () => {
    refresh();
    announceAll();
  };
  return {
    attach(available) {
      edits = available;
      look();
      timers = looks.map((wait) => setTimeout(look, wait));
    },
    take(event) {
      if (hasEnded) return;
      if (event.kind === "edits-recovered") void announce(event.edits);
      if (event.kind === "edits-changed") refresh();
    },
    keep({ proposal: { filePath, agent, newContent: proposed }, text }, reason) {
      const kept = edits?.add({ filePath, agent, proposed, text, reason });
      if (kept && !hasEnded) void announce(kept);
    },
    end() {
      hasEnded = true;
    },
    dispose() {
      hasEnded = true;
      timers.forEach(clearTimeout);
      subscriptions.dispose();
    },
  };
}

/** Commands get whatever the caller has. */
function isSummary(value: unknown): value is RecoveredEditsSummary {
  return typeof value === "object" && value !== null && "id" in value && "filePath" in value;
}
