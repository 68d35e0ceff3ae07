import type { z } from "zod";
import { ReviewError } from "../../core/review-error.ts";
import type { EmbeddedJson } from "../../transport/json-bytes.ts";
import { errorCodes, RpcError } from "../../transport/json-rpc.ts";
import { type CapabilityName, capabilityTools } from "./contract/optional-capabilities.ts";
import { type ToolName, tools } from "./contract/tools.ts";
import { type CapabilityCaller, getDiagnostics, has, openFile } from "./optional-capabilities.ts";

/** MCP's `CallToolResult`, as far as our tools need it. */
export interface ToolResult {
  // Index signature: the MCP SDK takes results with whatever else they hold.
  readonly [key: string]: unknown;
  content: { type: "text"; text: string | EmbeddedJson }[];
  isError?: boolean;
}

/** What the tools do for the one who calls them; its own diffs are the only ones it reaches. */
export interface ToolCaller extends CapabilityCaller {
  openDiff(filePath: string, newContent: string): Promise<void>;
  /** @returns the answer in the form that this client understands. */
  closeDiff(filePath: string, options: { suppressNotification: boolean }): Promise<string | EmbeddedJson>;
  acceptDiff(filePath: string): Promise<void>;
  rejectDiff(filePath: string): Promise<void>;
}

type ToolHandler = (input: unknown, caller: ToolCaller) => Promise<ToolResult>;

const handlers: Readonly<Record<ToolName | CapabilityName, ToolHandler>> = {
  openDiff: handler(tools.openDiff.input, async ({ filePath, newContent }, caller) => {
    await caller.openDiff(filePath, newContent);
    return { content: [] };
  }),
  closeDiff: handler(tools.closeDiff.input, async ({ filePath, suppressNotification = false }, caller) =>
    textResult(await caller.closeDiff(filePath, { suppressNotification })),
  ),
  acceptDiff: handler(tools.acceptDiff.input, async ({ filePath }, caller) => {
    await caller.acceptDiff(filePath);
    return textResult(`Accepted: ${filePath} has been written.`);
  }),
  rejectDiff: handler(tools.rejectDiff.input, async ({ filePath }, caller) => {
    await caller.rejectDiff(filePath);
    return textResult(`Rejected: ${filePath} is unchanged.`);
  }),
  openFile: handler(capabilityTools.openFile.input, async (input, caller) => {
    await openFile(caller, input);
    return textResult(`${input.filePath} is shown.`);
  }),
  getDiagnostics: handler(capabilityTools.getDiagnostics.input, async (input, caller) => {
    const found = await getDiagnostics(caller, input);
    return { ...textResult(JSON.stringify(found)), structuredContent: found };
  }),
};

/**
 * Runs one `tools/call`. What goes wrong with a diff is a result with `isError`.
 * @throws RpcError for an unknown tool or input of the wrong shape.
 */
export async function callTool(name: unknown, input: unknown, caller: ToolCaller): Promise<ToolResult> {
  if (!isToolName(name) && !isCapability(name, caller)) {
    throw invalid(`unknown tool ${JSON.stringify(name)}: there are ${Object.keys(tools).join(", ")}`);
  }
  try {
    return await handlers[name](input, caller);
  } catch (error) {
    if (!(error instanceof ReviewError)) throw error;
    return { ...textResult(error.message), isError: true };
  }
}

function isToolName(name: unknown): name is ToolName {
  return typeof name === "string" && Object.hasOwn(tools, name);
}

/** An editor without an capability has no tool for it. */
const isCapability = (name: unknown, { editor }: ToolCaller): name is CapabilityName =>
  typeof name === "string" && has(editor, name);

function handler<Input>(
  schema: z.ZodType<Input>,
  run: (input: Input, caller: ToolCaller) => Promise<ToolResult>,
): ToolHandler {
  return async (input, caller) => {
    const parsed = schema.safeParse(input);
    if (parsed.success) return run(parsed.data, caller);
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
