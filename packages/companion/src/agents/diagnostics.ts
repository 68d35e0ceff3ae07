import { checkFilePath } from "../core/changes/review.ts";
import { findDiagnostics } from "../core/diagnostics.ts";
import type { Diagnostic } from "../core/editor.ts";
import type { Core } from "./family.ts";
import { toWirePosition } from "./selection.ts";

/**
 * What the editor knows by now, by files that have some, with positions from 0. An editor that does not know, or is
 * slow, has found nothing.
 * @param path absolute; all files without it
 * @param limit how long an agent waits, in milliseconds
 */
export async function findByFile({ editor, sharing, roots }: Core, path: string | undefined, limit: number) {
  const late = new Promise<void>((resolve) => setTimeout(resolve, limit).unref());
  const found = async () => {
    if (path !== undefined) checkFilePath(path, { roots: roots() });
    return findDiagnostics(editor, sharing, path);
  };
  const report = await Promise.race([found().catch(() => undefined), late]);
  const all = report?.diagnostics ?? [];
  return [...new Set(all.map(({ filePath }) => filePath))].map((filePath) => ({
    filePath,
    diagnostics: all.filter((one) => one.filePath === filePath).map(toWire),
  }));
}

function toWire(diagnostic: Diagnostic) {
  const { message, severity, line, character, source, code } = diagnostic;
  const { endLine = line, endCharacter = character } = diagnostic;
  return {
    message,
    severity,
    range: {
      start: toWirePosition({ line, character }),
      end: toWirePosition({ line: endLine, character: endCharacter }),
    },
    ...(source !== undefined && { source }),
    ...(code !== undefined && { code }),
  };
}
