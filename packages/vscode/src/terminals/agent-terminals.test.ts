import { expect, test, vi } from "vitest";
import { registerTerminals } from "./agent-terminals.ts";

const { terminal, handlers } = vi.hoisted(() => ({
  terminal: { show: vi.fn(), sendText: vi.fn(), processId: new Promise<number>(() => {}) },
  handlers: new Map<string, () => Promise<void>>(),
}));

vi.mock("vscode", () => {
  const disposable = { dispose() {} };
  return {
    commands: {
      registerCommand: (name: string, handler: () => Promise<void>) => {
        handlers.set(name, handler);
        return disposable;
      },
    },
    window: {
      createTerminal: () => terminal,
      onDidCloseTerminal: () => disposable,
      onDidStartTerminalShellExecution: () => disposable,
      onDidEndTerminalShellExecution: () => disposable,
    },
    workspace: {
      getConfiguration: () => ({ get: (_name: string, otherwise: string) => otherwise }),
    },
    ThemeIcon: class {},
    Disposable: { from: () => disposable },
  };
});

test("a terminal of Theia, which loses what comes too early, is told to start the agent once it has a shell", async () => {
  let start = (_pid: number) => {};
  terminal.processId = new Promise((resolve) => {
    start = resolve;
  });
  registerTerminals(() => ({}));
  const run = handlers.get("ideCompanion.run.qwen")?.();
  await new Promise(setImmediate);
  expect(terminal.show).toHaveBeenCalled();
  expect(terminal.sendText).not.toHaveBeenCalled();
  start(1);
  await run;
  expect(terminal.sendText).toHaveBeenCalledExactlyOnceWith("qwen");
});
