import { expect, test, vi } from "vitest";
import { watchTyping } from "./proposal-views.ts";

const { group } = vi.hoisted(() => ({ group: { activeTab: undefined as unknown } }));

vi.mock("vscode", () => {
  const never = () => ({ dispose() {} });
  return {
    Disposable: { from: never },
    TabInputText: class {},
    TabInputTextDiff: class {},
    TabInputNotebook: class {},
    TabInputNotebookDiff: class {},
    TabInputTerminal: class {},
    window: {
      state: { focused: true },
      tabGroups: { activeTabGroup: group },
      onDidChangeTextEditorSelection: never,
    },
    workspace: { onDidChangeTextDocument: never },
  };
});

const { TabInputText, TabInputTerminal } = (await import("vscode")) as unknown as Record<
  "TabInputText" | "TabInputTerminal",
  new () => object
>;

test.each<[string, unknown, boolean]>([
  ["a text", { input: new TabInputText() }, false],
  ["no tab", undefined, false],
  ["a terminal", { input: new TabInputTerminal() }, true],
  ["the settings, of which VS Code says nothing", { input: undefined }, true],
])("only in a tab of texts is it seen whether the user types: %s", (_, tab, isUnderWay) => {
  group.activeTab = tab;
  expect(watchTyping().isUnderWay).toBe(isUnderWay);
});
