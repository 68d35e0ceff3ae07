import * as vscode from "vscode";

/** A list in the side bar. */
export class ListView<Item> implements vscode.TreeDataProvider<Item> {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #list: () => readonly Item[];
  readonly #view: vscode.Disposable;
  readonly onDidChangeTreeData = this.#changed.event;
  readonly getTreeItem: (item: Item) => vscode.TreeItem;

  /** @param id of the view in the manifest */
  constructor(id: string, list: () => readonly Item[], toTreeItem: (item: Item) => vscode.TreeItem) {
    this.#list = list;
    this.getTreeItem = toTreeItem;
    this.#view = vscode.window.createTreeView(id, { treeDataProvider: this });
  }

  refresh(): void {
    this.#changed.fire();
  }

  getChildren(element?: Item): Item[] {
    return element ? [] : [...this.#list()];
  }

  dispose(): void {
    this.#view.dispose();
    this.#changed.dispose();
  }
}

/** Agent and time: `Some CLI · Nov 23, 2026, 3:19 PM`. */
export function originOf({ agent, at }: { readonly agent: string; readonly at: number }): string {
  const style = { dateStyle: "medium", timeStyle: "short" } as const;
  return `${agent} · ${new Date(at).toLocaleString(vscode.env.language, style)}`;
}
