import { checkFilePath, ReviewError } from "../../core/changes/review.ts";
import { findDiagnostics, type SharedFiles } from "../../core/diagnostics.ts";
import type { OptionalCapabilities } from "../../core/editor.ts";
import { lookAt } from "../../files/file-stamp.ts";
import { messageOf } from "../../system/error-message.ts";
import { capabilityToolList, type ListedTool } from "./contract/tool-list.gen.ts";
import type { Diagnostics, GetDiagnosticsInput, OpenFileInput } from "./contract/tools.ts";

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
  if (lookAt(filePath).kind !== "file") throw new ReviewError(`there is no file ${filePath}`);
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
  const found = findDiagnostics(editor, sharing, filePath);
  const report = await asked("the editor could not report its diagnostics", found);
  if (!report) throw new ReviewError("the user has paused sharing");
  return { diagnostics: [...report.diagnostics], omitted: report.omitted };
}

async function asked<Value>(what: string, work: Promise<Value> | undefined): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    throw new ReviewError(`${what}: ${messageOf(error)}`);
  }
}
