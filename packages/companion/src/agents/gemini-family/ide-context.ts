import type { Context } from "../../core/context.ts";
import type { IdeContext } from "./contract/context.ts";

/**
 * The body of `ide/contextUpdate`.
 * @see docs/reference/contract.md#3-context
 */
export function toIdeContext({ files, isTrusted }: Context): IdeContext {
  const openFiles = files.map(({ path, focusedAt, isActive, cursor, selectedText }) => ({
    path,
    timestamp: focusedAt,
    ...(isActive && { isActive }),
    ...(cursor && { cursor }),
    ...(selectedText !== undefined && { selectedText }),
  }));
  return { workspaceState: { openFiles, ...(isTrusted !== undefined && { isTrusted }) } };
}
