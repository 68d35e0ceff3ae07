import type { z } from "zod";
import { ReviewError } from "../../core/changes/review.ts";
import { errorCodes, RpcError } from "../../transport/json-rpc.ts";
import { answer, failure, type ToolAnswer } from "../tools.ts";
import { type CapabilityName, capabilityTools, type ToolName, tools } from "./contract/tools.ts";
import { type CapabilityCaller, getDiagnostics, has, openFile } from "./optional-capabilities.ts";
import type { Session } from "./session.ts";

interface ToolResult extends ToolAnswer {
  readonly structuredContent?: object;
}

type ToolHandler = (input: unknown, diffs: Session, capabilities: CapabilityCaller) => Promise<ToolResult>;

const handlers: Readonly<Record<ToolName | CapabilityName, ToolHandler>> = {
  openDiff: handler(tools.openDiff.input, async ({ filePath, newContent }, diffs) => {
    await diffs.openDiff(filePath, newContent);
    return answer();
  }),
  closeDiff: handler(tools.closeDiff.input, async ({ filePath, suppressNotification = false }, diffs) =>
    answer(await diffs.closeDiff(filePath, suppressNotification)),
  ),
  acceptDiff: handler(tools.acceptDiff.input, async ({ filePath }, diffs) => {
    await diffs.acceptDiff(filePath);
    return answer(`Accepted: ${filePath} has been written.`);
  }),
  rejectDiff: handler(tools.rejectDiff.input, async ({ filePath }, diffs) => {
    await diffs.rejectDiff(filePath);
    return answer(`Rejected: ${filePath} is unchanged.`);
  }),
  openFile: handler(capabilityTools.openFile.input, async (input, _, capabilities) => {
    await openFile(capabilities, input);
    return answer(`${input.filePath} is shown.`);
  }),
  getDiagnostics: handler(capabilityTools.getDiagnostics.input, async (input, _, capabilities) => {
    const found = await getDiagnostics(capabilities, input);
    return { ...answer(JSON.stringify(found)), structuredContent: found };
  }),
};

/**
 * Runs one `tools/call`. What goes wrong with a diff is a result with `isError`.
 * @throws RpcError for an unknown tool or input of the wrong shape.
 */
export async function callTool(
  name: unknown,
  input: unknown,
  diffs: Session,
  capabilities: CapabilityCaller,
): Promise<ToolResult> {
  if (!isToolName(name) && !isCapability(name, capabilities)) {
    throw invalid(`unknown tool ${JSON.stringify(name)}: there are ${Object.keys(tools).join(", ")}`);
  }
  try {
    return await handlers[name](input, diffs, capabilities);
  } catch (error) {
    if (!(error instanceof ReviewError)) throw error;
    return failure(error.message);
  }
}

function isToolName(name: unknown): name is ToolName {
  return typeof name === "string" && Object.hasOwn(tools, name);
}

/** An editor without a capability has no tool for it. */
const isCapability = (name: unknown, { editor }: CapabilityCaller): name is CapabilityName =>
  typeof name === "string" && has(editor, name);

function handler<Input>(
  schema: z.ZodType<Input>,
  run: (input: Input, diffs: Session, capabilities: CapabilityCaller) => Promise<ToolResult>,
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
