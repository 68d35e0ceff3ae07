import { existsSync } from "node:fs";
import { findDiagnostics } from "../../core/diagnostics.ts";
import type { Diagnostic } from "../../core/editor.ts";
import { checkFilePath } from "../../core/review.ts";
import type { Core } from "../family.ts";

/** Every edit waits for the answer, in milliseconds: half a second at most, then the CLI goes on without. */
const limit = 400;

/**
 * The text that answers `getDiagnostics`: what the editor knows by now. An editor that does not know, or is slow, has
 * found nothing.
 * @param uri `file://` and an absolute path
 */
export async function describeDiagnostics({ editor, sharing, roots }: Core, uri?: string): Promise<string> {
  const path = uri === undefined ? undefined : toPath(uri);
  const late = new Promise<void>((resolve) => setTimeout(resolve, limit).unref());
  const found = async () => {
    if (path !== undefined) checkFilePath(path, { roots: roots() });
    return findDiagnostics(editor, sharing, path);
  };
  const report = await Promise.race([found().catch(() => undefined), late]);
  const all = report?.diagnostics ?? [];
  const files = [...new Set(all.map(({ filePath }) => filePath))].map((filePath) => ({
    uri: filePath === path ? uri : `file://${filePath}`,
    diagnostics: all.filter((one) => one.filePath === filePath).map(toWire),
  }));
  return JSON.stringify(files);
}

const severities = { error: "Error", warning: "Warning", info: "Info", hint: "Hint" } as const;

function toWire(diagnostic: Diagnostic) {
  const { message, severity, line, character, source, code } = diagnostic;
  const { endLine = line, endCharacter = character } = diagnostic;
  return {
    message,
    severity: severities[severity],
    range: {
      start: { line: line - 1, character: character - 1 },
      end: { line: endLine - 1, character: endCharacter - 1 },
    },
    ...(source !== undefined && { source }),
    ...(code !== undefined && { code }),
  };
}

/** The CLI puts the path there as it is; a model that calls the tool may encode it. */
function toPath(uri: string): string {
  const path = uri.replace(/^file:\/\//, "");
  try {
    const decoded = decodeURIComponent(path);
    return !existsSync(path) && existsSync(decoded) ? decoded : path;
  } catch {
    return path; // no encoding of anything
  }
}
