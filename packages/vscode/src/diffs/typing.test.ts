import { expect, test, vi } from "vitest";
import { watchTyping } from "./proposal-views.ts";

const { group } = vi.hoisted(() => ({ group: { activeTab: undefined as unknown } }));

vi.mock("vscode", () => {
  const never = () => ({ dispose() {} });
  return {
    Disposable: { from: never },
    TabInputText: class {},
    TabInputCustom: class {},
    TabInputTerminal: class {},
    TabInputWebview: class {},
    window: {
      state: { focused: true },
      tabGroups: { activeTabGroup: group },
      onDidChangeTextEditorSelection: never,
    },
    workspace: { onDidChangeTextDocument: never },
  };
});

const { TabInputText, TabInputCustom, TabInputTerminal, TabInputWebview } = (await import(
  "vscode"
)) as unknown as Record<
  "TabInputText" | "TabInputCustom" | "TabInputTerminal" | "TabInputWebview",
  new () => object
>;

test.each<[string, unknown, boolean]>([
  ["a text", { input: new TabInputText() }, false],
  ["no tab", undefined, false],
  ["a terminal", { input: new TabInputTerminal() }, true],
  ["a web view", { input: new TabInputWebview() }, true],
  ["a walkthrough or the settings", { input: undefined }, false],
  ["a picture", { input: new TabInputCustom(), isDirty: false }, false],
  ["a drawing with unsaved edits", { input: new TabInputCustom(), isDirty: true }, true],
])("a change opens behind only a tab in which the user may type unseen: %s", (_, tab, isUnderWay) => {
  group.activeTab = tab;
  expect(watchTyping().isUnderWay).toBe(isUnderWay);
});
