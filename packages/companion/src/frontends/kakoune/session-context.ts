import type { PluginContext } from "../lsp/messages.ts";
import type { Look } from "./look.ts";

export interface SessionContext {
  /** @returns the whole present state, as agents are to receive it */
  take(look: Look): PluginContext;
}

/**
 * Remembers what Kakoune does not: when each file was looked at, and which one before a scratch buffer.
 * @param isOurs whether a path is that of a proposal
 */
export function createSessionContext(isOurs: (path: string) => boolean, now = Date.now): SessionContext {
  const focusedAt = new Map<string, number>();
  let active: Look | undefined;
  return {
    take(look) {
      const open = [...new Set(look.files)].filter((file) => !isOurs(file));
      const isFile = open.includes(look.buffer);
      if (isFile) {
        active = look;
        focusedAt.set(look.buffer, now());
      }
      const files = open.map((path) => ({ path, focusedAt: focusedAt.get(path) ?? 0 }));
      if (!active || !open.includes(active.buffer)) return { files };
      const { buffer, cursor, selectedText, selection } = active;
      const position = { cursor, ...(selection && { selectedText, selection }) };
      return {
        files: files.map((file) => (file.path === buffer ? { ...file, ...position } : file)),
        activePath: buffer,
      };
    },
  };
}
