import { agents, type CompanionEvent } from "ide-companion";
import * as vscode from "vscode";
import { commands, l10n, window } from "vscode";
import { offer, warn } from "./messages.ts";
import { toMessage } from "./plain-text.ts";
import { isInWorkspace, nameOf } from "./workspace.ts";

/** When to check again for what an earlier window leaves, which may still be closing; in milliseconds. */
const checkTimes = [2000, 5000, 10_000, 20_000];

/** What outlasts a window, and is announced until its user has answered. */
export interface Announced {
  readonly id: string;
  /** Absolute. */
  readonly filePath: string;
}

export interface AnnouncementsOptions<Item extends Announced> {
  readonly memory: vscode.Memento;
  /** In that memory: the ids whose notification the user has answered. */
  readonly key: string;
  /** Everything that waits. */
  readonly list: () => readonly Item[];
}

/** Notifications about what waits for the user, each shown until one of them is answered. */
export class Announcements<Item extends Announced> {
  readonly #options: AnnouncementsOptions<Item>;
  /** Ids that this window has announced. */
  readonly #announced = new Set<string>();
  #checks: readonly NodeJS.Timeout[] = [];
  #hasEnded = false;

  constructor(options: AnnouncementsOptions<Item>) {
    this.#options = options;
  }

  /** @param check announces the news: called now, and again for what an earlier window leaves */
  start(check: () => void): void {
    check();
    this.#checks = checkTimes.map((wait) => setTimeout(check, wait));
  }

  /** What waits in this window's folders and has not been announced. Another window or editor announces the others. */
  get news(): readonly Item[] {
    const answered = this.#answered;
    const isNews = ({ id, filePath }: Item) =>
      isInWorkspace(filePath) && !this.#announced.has(id) && !answered.includes(id);
    return this.#options.list().filter(isNews);
  }

  /** @returns the action that the user has chosen, if any */
  async show<Action extends string>(
    news: readonly Item[],
    message: string,
    ...actions: readonly Action[]
  ): Promise<Action | undefined> {
    const ids = news.map(({ id }) => id);
    for (const id of ids) this.#announced.add(id);
    const answer = await window.showWarningMessage(toMessage(message), ...actions);
    // VS Code closed the notification, not the user: the next window shows it again.
    if (this.#hasEnded) return undefined;
    const { memory, key, list } = this.#options;
    const known = list().map(({ id }) => id);
    const answered = [...this.#answered, ...ids].filter((id) => known.includes(id));
    await memory.update(key, answered);
    return answer;
  }

  /** The window ends: the next one announces what is unanswered. */
  dispose(): void {
    this.#hasEnded = true;
    this.#checks.forEach(clearTimeout);
  }

  get #answered(): readonly string[] {
    return this.#options.memory.get<readonly string[]>(this.#options.key, []);
  }
}

/** Warns when a file does not contain what the user accepted, unless the user's edits are recovered. */
export function warnOfFile(event: CompanionEvent): void {
  if (event.kind !== "file-checked" || event.wasEdited || event.result === "written") return;
  const { agent, filePath } = event.proposal;
  const name = nameOf(filePath);
  const message =
    event.result === "not-written"
      ? l10n.t("{0} did not write {1}: the file is as it was before you accepted.", agent, name)
      : l10n.t("{0} wrote {1} differently from what you accepted.", agent, name);
  warn(message);
}

/** Ids of extensions that the user has been warned about. */
const key = "knownNeighbours";

/** Warns once about each companion that an agent's makers publish: the CLI connects to one of the two. */
export function watchNeighbours(memory: vscode.Memento): vscode.Disposable {
  const check = () => {
    for (const { ownExtension, displayName } of agents) {
      const extension = ownExtension === undefined ? undefined : vscode.extensions.getExtension(ownExtension);
      if (extension && !memory.get<string[]>(key, []).includes(extension.id))
        void advise(extension, displayName, memory);
    }
  };
  check();
  return vscode.extensions.onDidChange(check);
}

async function advise(
  extension: vscode.Extension<unknown>,
  agent: string,
  memory: vscode.Memento,
): Promise<void> {
  const name: string = extension.packageJSON.displayName ?? extension.id;
  await memory.update(key, [...memory.get<string[]>(key, []), extension.id]);
  const message = l10n.t(
    "{0} is installed as well. {1} connects to one of the two companions: disable the one that you do not want.",
    name,
    agent,
  );
  // This page has the button that disables it. It works without a gallery.
  await offer(message, l10n.t("Show that extension"), () =>
    commands.executeCommand("extension.open", extension.id),
  );
}
