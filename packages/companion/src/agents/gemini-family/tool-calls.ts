import { statSync } from "node:fs";
import type { z } from "zod";
import { findDiagnostics, type SharedFiles } from "../../core/diagnostics.ts";
import type { OptionalCapabilities } from "../../core/editor.ts";
import { checkFilePath, ReviewError } from "../../core/review.ts";
import { messageOf } from "../../system/error-message.ts";
import type { EmbeddedJson } from "../../transport/json-bytes.ts";
import { errorCodes, RpcError } from "../../transport/json-rpc.ts";
import { capabilityToolList, type ListedTool } from "./contract/tool-list.gen.ts";
import {
  type CapabilityName,
  capabilityTools,
  type Diagnostics,
  type GetDiagnosticsInput,
  type OpenFileInput,
  type ToolName,
  tools,
} from "./contract/tools.ts";

/** MCP's `CallToolResult`, as far as our tools need it. */
export interface ToolResult {
  // Index signature: the MCP SDK takes results with whatever else they hold.
  readonly [key: string]: unknown;
  content: { type: "text"; text: string | EmbeddedJson }[];
  isError?: boolean;
}

/** What the tools do for the one who calls them; its own diffs are the only ones it reaches. */
export interface DiffCaller {
  openDiff(filePath: string, newContent: string): Promise<void>;
  /** @returns the answer in the form that this client understands. */
  closeDiff(filePath: string, options: { suppressNotification: boolean }): Promise<string | EmbeddedJson>;
  acceptDiff(filePath: string): Promise<void>;
  rejectDiff(filePath: string): Promise<void>;
}

type ToolHandler = (input: unknown, diffs: DiffCaller, capabilities: CapabilityCaller) => Promise<ToolResult>;

const handlers: Readonly<Record<ToolName | CapabilityName, ToolHandler>> = {
  openDiff: handler(tools.openDiff.input, async ({ filePath, newContent }, diffs) => {
    await diffs.openDiff(filePath, newContent);
    return { content: [] };
  }),
  closeDiff: handler(tools.closeDiff.input, async ({ filePath, suppressNotification = false }, diffs) =>
    textResult(await diffs.closeDiff(filePath, { suppressNotification })),
  ),
  acceptDiff: handler(tools.acceptDiff.input, async ({ filePath }, diffs) => {
    await diffs.acceptDiff(filePath);
    return textResult(`Accepted: ${filePath} has been written.`);
  }),
  rejectDiff: handler(tools.rejectDiff.input, async ({ filePath }, diffs) => {
    await diffs.rejectDiff(filePath);
    return textResult(`Rejected: ${filePath} is unchanged.`);
  }),
  openFile: handler(capabilityTools.openFile.input, async (input, _, capabilities) => {
    await openFile(capabilities, input);
    return textResult(`${input.filePath} is shown.`);
  }),
  getDiagnostics: handler(capabilityTools.getDiagnostics.input, async (input, _, capabilities) => {
    const found = await getDiagnostics(capabilities, input);
    return { ...textResult(JSON.stringify(found)), structuredContent: found };
  }),
};

/**
 * Runs one `tools/call`. What goes wrong with a diff is a result with `isError`.
 * @throws RpcError for an unknown tool or input of the wrong shape.
 */
export async function callTool(
  name: unknown,
  input: unknown,
  diffs: DiffCaller,
  capabilities: CapabilityCaller,
): Promise<ToolResult> {
  if (!isToolName(name) && !isCapability(name, capabilities)) {
    throw invalid(`unknown tool ${JSON.stringify(name)}: there are ${Object.keys(tools).join(", ")}`);
  }
  try {
    return await handlers[name](input, diffs, capabilities);
  } catch (error) {
    if (!(error instanceof ReviewError)) throw error;
    return { ...textResult(error.message), isError: true };
  }
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
  const found = findDiagnostics(editor, sharing, filePath);
  const report = await asked("the editor could not tell its diagnostics", found);
  if (!report) throw new ReviewError("the user has paused sharing");
  return { diagnostics: [...report.diagnostics], omitted: report.omitted };
}

function isToolName(name: unknown): name is ToolName {
  return typeof name === "string" && Object.hasOwn(tools, name);
}

/** An editor without a capability has no tool for it. */
const isCapability = (name: unknown, { editor }: CapabilityCaller): name is CapabilityName =>
  typeof name === "string" && has(editor, name);

function handler<Input>(
  schema: z.ZodType<Input>,
  run: (input: Input, diffs: DiffCaller, capabilities: CapabilityCaller) => Promise<ToolResult>,
): ToolHandler {
  return async (input, ...callers) => {
    const parsed = schema.safeParse(input);
    if (parsed.success) return run(parsed.data, ...callers);
    const problems = parsed.error.issues.map(
      ({ path, message }) => `${path.join(".") || "arguments"}: ${message}`,
    );
    throw invalid(`wrong arguments: ${problems.join("; ")}`);
  };
}

function invalid(message: string): RpcError {
  return new RpcError(errorCodes.invalidParams, message);
}

function textResult(text: string | EmbeddedJson): ToolResult {
  return { content: [{ type: "text", text }] };
}

async function asked<Value>(what: string, work: Promise<Value> | undefined): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    throw new ReviewError(`${what}: ${messageOf(error)}`);
  }
}
