import { isJson, type Json } from "../wire/json-rpc.ts";

/** A notification of MCP in the words of `/events`. */
function wordEvent({ method, params }: { method: string; params: object }): object {
  return method === "ide/contextUpdate"
    ? { method: "notifications/context-update", params: wordContext(params) }
    : { method: `notifications/${method}`, params };
}

function wordContext(context: object): Json {
  const state = "workspaceState" in context && isJson(context.workspaceState) ? context.workspaceState : {};
  const files = Array.isArray(state.openFiles) ? state.openFiles.filter(isJson) : [];
  const active = files.find(({ isActive }) => isActive === true);
  return {
    openFiles: files.map(({ path, timestamp }) => ({ path, timestamp })),
    ...(active && {
      activeFile: { path: active.path, cursorPosition: active.cursor, selection: active.selectedText },
    }),
  };
}

/** How the example speaks on `/events`. */
export const eventsRules = { wordEvent };

export type EventsRules = typeof eventsRules;
