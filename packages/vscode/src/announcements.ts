import * as vscode from "vscode";
import { toMessage } from "./plain-text.ts";
import { isInWorkspace } from "./workspace.ts";

/** When to check again for what an earlier window leaves, which may still be closing; in milliseconds. */
const checkTimes = [2000, 5000, 10_000, 20_000];

/** Calls a function now, and again for what an earlier window leaves. Disposing stops it. */
export function checkRepeatedly(check: () => void): vscode.Disposable {
  check();
  const timers = checkTimes.map((wait) => setTimeout(check, wait));
  return { dispose: () => timers.forEach(clearTimeout) };
}

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
  #checks: vscode.Disposable | undefined;
  #hasEnded = false;

  constructor(options: AnnouncementsOptions<Item>) {
    this.#options = options;
  }

  /** @param check announces the news: called now, and again for what an earlier window leaves */
  start(check: () => void): void {
    this.#checks = checkRepeatedly(check);
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
    const answer = await vscode.window.showWarningMessage(toMessage(message), ...actions);
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
    this.#checks?.dispose();
  }

  get #answered(): readonly string[] {
    return this.#options.memory.get<readonly string[]>(this.#options.key, []);
  }
}
