import { basename } from "node:path";
import * as vscode from "vscode";
import { l10n, window } from "vscode";
import { onCommand } from "../commands.ts";
import { inform } from "../messages.ts";
import { toMarkdown } from "../plain-text.ts";
import { folderOf, nameOf } from "../workspace.ts";

/** What every list is of. */
interface Listed {
  readonly id: string;
  readonly filePath: string;
  readonly agent: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** What a list says of one of its items. */
export interface Row {
  /** In a few words. */
  readonly note?: string;
  /** A sentence, or the same. */
  readonly detail: string;
  /** Of VS Code's; the file's where absent. */
  readonly icon?: string;
  /** What the menus of the manifest ask for. */
  readonly contextValue: string;
  /** The user has not looked at it. */
  readonly isUnread?: boolean;
}

export interface ListOptions<Item extends Listed> {
  readonly list: () => readonly Item[];
  readonly toRow: (item: Item) => Row;
  /** Shown where there is nothing to choose. */
  readonly none: string;
  readonly placeHolder: string;
}

/** Lets the user choose from a list, and search in it. Shows a message when it is empty. */
export async function chooseFrom<Item extends Listed>({
  list,
  toRow,
  none,
  placeHolder,
}: ListOptions<Item>): Promise<Item | undefined> {
  const items = list().map((item) => {
    const { icon, detail } = toRow(item);
    const label = `${icon === undefined ? "" : `$(${icon}) `}${nameOf(item.filePath)}`;
    return { label, description: originOf(item), detail, item };
  });
  if (items.length === 0) return void inform(none);
  const options = { placeHolder, matchOnDescription: true, matchOnDetail: true };
  return (await window.showQuickPick(items, options))?.item;
}

/** A list in the side bar, from which a command lets the user choose as well. */
export class ListView<Item extends Listed> implements vscode.TreeDataProvider<Item> {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #command: string;
  readonly #options: ListOptions<Item>;
  readonly #view: vscode.Disposable;
  readonly onDidChangeTreeData = this.#changed.event;

  /** @param command shows the item that it is passed; the view has its name in the manifest */
  constructor(view: string, command: string, options: ListOptions<Item>) {
    this.#command = command;
    this.#options = options;
    this.#view = window.createTreeView(view, { treeDataProvider: this });
  }

  refresh(): void {
    this.#changed.fire();
  }

  /** What a menu or a row has passed to a command; undefined for the other arguments that VS Code passes. */
  find(target: unknown): Item | undefined {
    const id = typeof target === "object" && target !== null && "id" in target ? target.id : undefined;
    return this.#options.list().find((item) => item.id === id);
  }

  /** Registers a command for such an item, else for the one that is shown, else for what the user chooses. */
  on(command: string, act: (item: Item) => unknown, shownId?: () => string | undefined): vscode.Disposable {
    return onCommand(command, async (target: unknown) => {
      const shown = this.find(target) ?? this.find({ id: shownId?.() });
      const item = shown ?? (await chooseFrom(this.#options));
      if (item) await act(item);
    });
  }

  getChildren(element?: Item): Item[] {
    return element ? [] : [...this.#options.list()];
  }

  getTreeItem(element: Item): vscode.TreeItem {
    const { note, detail, ...row } = this.#options.toRow(element);
    const origin = originOf(element);
    const texts = { notes: [note, origin], details: [detail, origin] };
    return toFileItem(element, { ...row, ...texts, command: this.#command });
  }

  dispose(): void {
    this.#view.dispose();
    this.#changed.dispose();
  }
}

/** What the side bar says of a file, behind its name and folder, and in all to who asks. */
interface FileTexts extends Pick<Row, "icon" | "contextValue" | "isUnread"> {
  readonly notes: readonly (string | undefined)[];
  readonly details: readonly string[];
  /** Is passed what the item stands for. */
  readonly command: string;
}

/** A file in the side bar. A dot takes the place of its icon, as long as the user has not looked at it. */
export function toFileItem(
  element: Pick<Listed, "id" | "filePath">,
  { notes, details, icon, contextValue, isUnread, command }: FileTexts,
): vscode.TreeItem {
  const { id, filePath } = element;
  const all = [nameOf(filePath), ...details, ...(isUnread ? [l10n.t("not looked at")] : [])];
  const item = new vscode.TreeItem(vscode.Uri.file(filePath));
  item.id = id;
  item.label = basename(filePath);
  item.description = [folderOf(filePath), ...notes].filter(Boolean).join(" · ");
  item.tooltip = new vscode.MarkdownString(all.map(toMarkdown).join("\n\n"));
  item.accessibilityInformation = { label: all.join(", ") };
  item.iconPath = icon === undefined ? vscode.ThemeIcon.File : new vscode.ThemeIcon(icon);
  if (isUnread) item.iconPath = new vscode.ThemeIcon("circle-filled", new vscode.ThemeColor("charts.blue"));
  item.contextValue = contextValue;
  item.command = { command, title: l10n.t("Review"), arguments: [element] };
  return item;
}

/** Agent and time: `Some CLI · Nov 23, 2026, 3:19 PM`. */
export function originOf({ agent, at }: Pick<Listed, "agent" | "at">): string {
  const style = { dateStyle: "medium", timeStyle: "short" } as const;
  return `${agent} · ${new Date(at).toLocaleString(vscode.env.language, style)}`;
}
