import type { Diagnostic } from "ide-companion";

/** What VS Code knows of a problem, as far as agents are told; lines and characters count from 0. */
export interface Problem {
  readonly range: { readonly start: Position; readonly end: Position };
  readonly message: string;
  /** From 0, an error, to 3, a hint. */
  readonly severity: number;
  readonly source?: string | undefined;
  readonly code?: string | number | { readonly value: string | number } | undefined;
}

interface Position {
  readonly line: number;
  readonly character: number;
}

const severities = ["error", "warning", "info", "hint"] as const;

/** A problem as agents are told of it. @param filePath absolute */
export function toDiagnostic(
  filePath: string,
  { range, message, severity, source, code }: Problem,
): Diagnostic {
  const name = typeof code === "object" ? code.value : code;
  return {
    filePath,
    line: range.start.line + 1,
    character: range.start.character + 1,
    endLine: range.end.line + 1,
    endCharacter: range.end.character + 1,
    severity: severities[severity] ?? "info",
    message,
    ...(source ? { source } : {}),
    ...(name === undefined ? {} : { code: String(name) }),
  };
}
