import { existsSync } from "node:fs";
import { findByFile } from "../diagnostics.ts";
import type { Core } from "../family.ts";

/** Every edit waits for the answer, in milliseconds: half a second at most, then the CLI goes on without. */
const limit = 400;

const severities = { error: "Error", warning: "Warning", info: "Info", hint: "Hint" } as const;

/**
 * The text that answers `getDiagnostics`.
 * @param uri `file://` and an absolute path
 */
export async function describeDiagnostics(core: Core, uri?: string): Promise<string> {
  const path = uri === undefined ? undefined : toPath(uri);
  const files = await findByFile(core, { path, limit });
  return JSON.stringify(
    files.map(({ filePath, diagnostics }) => ({
      uri: filePath === path ? uri : `file://${filePath}`,
      diagnostics: diagnostics.map((one) => ({ ...one, severity: severities[one.severity] })),
    })),
  );
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
