import { isJson, type Json } from "../wire/json-rpc.ts";

/** A notification of MCP under the names of `/events`. */
function toEvent({ method, params }: { method: string; params: object }): object {
  return method === "ide/contextUpdate"
    ? { method: "notifications/context-update", params: toEventContext(params) }
    : { method: `notifications/${method}`, params };
}

function toEventContext(context: object): Json {
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

/** How the example serves `/events`. */
export const eventsRules = { toEvent };

export type EventsRules = typeof eventsRules;
