import { isJson } from "../wire/json-rpc.ts";

/** A context as an event of `/events`. */
export function toEvent(context: object): string {
  const state = "workspaceState" in context && isJson(context.workspaceState) ? context.workspaceState : {};
  const files = Array.isArray(state.openFiles) ? state.openFiles.filter(isJson) : [];
  const active = files.find(({ isActive }) => isActive === true);
  const params = {
    openFiles: files.map(({ path, timestamp }) => ({ path, timestamp })),
    ...(active && {
      activeFile: { path: active.path, cursorPosition: active.cursor, selection: active.selectedText },
    }),
  };
  const message = { jsonrpc: "2.0", method: "notifications/context-update", params };
  return `data: ${JSON.stringify(message)}\n\n`;
}
