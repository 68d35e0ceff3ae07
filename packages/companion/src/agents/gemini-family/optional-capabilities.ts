import { statSync } from "node:fs";
import { cutText } from "../../core/context.ts";
import type { OptionalCapabilities } from "../../core/editor.ts";
import { checkFilePath, ReviewError } from "../../core/review.ts";
import { diagnosticLimits } from "./contract/limits.ts";
import type {
  Diagnostic,
  Diagnostics,
  GetDiagnosticsInput,
  OpenFileInput,
} from "./contract/optional-capabilities.ts";
import { capabilityToolList, type ListedTool } from "./contract/tool-list.gen.ts";

/** What the user keeps from the agents. */
export interface SharedFiles {
  readonly isPaused: boolean;
  /** Whether a file is kept from them. */
  check(path: string): Promise<boolean>;
}

/** What an capability is used by. */
export interface CapabilityCaller {
  readonly editor: OptionalCapabilities;
  readonly sharing: SharedFiles;
  /** Absolute paths of the open folders. */
  readonly roots: readonly string[];
}

/** The tools that an editor has besides those of the contract. */
export function listCapabilities(editor: OptionalCapabilities): readonly ListedTool[] {
  return capabilityToolList.filter(({ name }) => has(editor, name));
}

/** Whether an editor can do what a tool is for. */
export function has(editor: OptionalCapabilities, name: string): name is keyof OptionalCapabilities {
  return (name === "openFile" || name === "getDiagnostics") && editor[name] !== undefined;
}

/** @throws ReviewError with a sentence for the agent */
export async function openFile(
  { editor, roots }: CapabilityCaller,
  { filePath, line, character }: OpenFileInput,
): Promise<void> {
  checkFilePath(filePath, { roots });
  if (!statSync(filePath, { throwIfNoEntry: false })?.isFile()) {
    throw new ReviewError(`there is no file ${filePath}`);
  }
  if (character !== undefined && line === undefined) throw new ReviewError("character needs a line");
  const position = { path: filePath, ...(line && { line }), ...(character && { character }) };
  await asked(`${filePath} could not be shown`, editor.openFile?.(position));
}

/**
 * Within the limits, errors first.
 * @throws ReviewError with a sentence for the agent
 */
export async function getDiagnostics(
  { editor, roots, sharing }: CapabilityCaller,
  { filePath }: GetDiagnosticsInput,
): Promise<Diagnostics> {
  if (filePath !== undefined) checkFilePath(filePath, { roots });
  const all = await asked("the editor could not tell its diagnostics", editor.getDiagnostics?.(filePath));
  const found = await keepShared(all ?? [], sharing);
  // It may have been paused while the editor was asked.
  if (sharing.isPaused) throw new ReviewError("the user has paused sharing");
  const diagnostics = found
    .sort(byWeight)
    .slice(0, diagnosticLimits.diagnostics)
    .map((one) => ({ ...one, message: cutText(one.message, diagnosticLimits.message) }));
  return { diagnostics, omitted: found.length - diagnostics.length };
}

async function keepShared(found: readonly Diagnostic[], sharing: SharedFiles): Promise<Diagnostic[]> {
  const paths = [...new Set(found.map(({ filePath }) => filePath))];
  const isKept = new Map(
    await Promise.all(paths.map(async (path) => [path, await sharing.check(path)] as const)),
  );
  return found.filter(({ filePath }) => isKept.get(filePath) === false);
}

async function asked<Value>(what: string, work: Promise<Value> | undefined): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    throw new ReviewError(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const weights = { error: 0, warning: 1, info: 2, hint: 3 } as const;

const byWeight = (one: Diagnostic, other: Diagnostic): number =>
  weights[one.severity] - weights[other.severity] ||
  (one.filePath < other.filePath ? -1 : Number(one.filePath > other.filePath)) ||
  one.line - other.line ||
  one.character - other.character;
