import type { z } from "zod";
import { checkFilePath, ReviewError } from "../../core/changes/review.ts";
import { findDiagnostics } from "../../core/diagnostics.ts";
import type { OptionalCapabilities } from "../../core/editor.ts";
import { pathKey } from "../../files/file-path.ts";
import { lookAt } from "../../files/file-stamp.ts";
import { messageOf } from "../../system/error-message.ts";
import { errorCodes, RpcError } from "../../transport/json-rpc.ts";
import type { Core } from "../family.ts";
import { answer, failure, type ToolAnswer } from "../tools.ts";
import { capabilityToolList, type ListedTool } from "./contract/tool-list.gen.ts";
import { type CapabilityName, capabilityTools, type ToolName, tools } from "./contract/tools.ts";
import type { Session } from "./session.ts";

interface ToolResult extends ToolAnswer {
  readonly structuredContent?: object;
}

type ToolHandler = (input: unknown, diffs: Session, core: Core) => Promise<ToolResult>;

const handlers: Readonly<Record<ToolName | CapabilityName, ToolHandler>> = {
  openDiff: handler(tools.openDiff.input, async ({ filePath, newContent }, diffs) => {
    await diffs.openDiff(filePath, newContent);
    return answer();
  }),
  closeDiff: handler(tools.closeDiff.input, async ({ filePath, suppressNotification = false }, diffs) =>
    answer(await diffs.closeDiff(filePath, suppressNotification)),
  ),
  acceptDiff: handler(tools.acceptDiff.input, async ({ filePath }, { id }, { reviews }) => {
    await reviews.accept(id, pathKey(filePath));
    return answer(`Accepted: ${filePath} has been written.`);
  }),
  rejectDiff: handler(tools.rejectDiff.input, async ({ filePath }, { id }, { reviews }) => {
    await reviews.reject(id, pathKey(filePath));
    return answer(`Rejected: ${filePath} is unchanged.`);
  }),
  openFile: handler(
    capabilityTools.openFile.input,
    async ({ filePath, line, character }, _, { editor, roots }) => {
      checkFilePath(filePath, { roots: roots() });
      if (lookAt(filePath).kind !== "file") throw new ReviewError(`there is no file ${filePath}`);
      if (character !== undefined && line === undefined) throw new ReviewError("character needs a line");
      const position = { path: filePath, ...(line && { line }), ...(character && { character }) };
      await asked(`${filePath} could not be shown`, editor.openFile?.(position));
      return answer(`${filePath} is shown.`);
    },
  ),
  /** Within the limits, errors first. */
  getDiagnostics: handler(
    capabilityTools.getDiagnostics.input,
    async ({ filePath }, _, { editor, roots, sharing }) => {
      if (filePath !== undefined) checkFilePath(filePath, { roots: roots() });
      const found = findDiagnostics(editor, sharing, filePath);
      const report = await asked("the editor could not report its diagnostics", found);
      if (!report) throw new ReviewError("the user has paused sharing");
      const { diagnostics, omitted } = report;
      const structuredContent = { diagnostics, omitted };
      return { ...answer(JSON.stringify(structuredContent)), structuredContent };
    },
  ),
};

/**
 * Runs one `tools/call`. What goes wrong with a diff is a result with `isError`.
 * @throws RpcError for an unknown tool or input of the wrong shape.
 */
export async function callTool(
  name: unknown,
  input: unknown,
  diffs: Session,
  core: Core,
): Promise<ToolResult> {
  if (!isToolName(name) && !isCapability(name, core.editor)) {
    throw invalid(`unknown tool ${JSON.stringify(name)}: there are ${Object.keys(tools).join(", ")}`);
  }
  try {
    return await handlers[name](input, diffs, core);
  } catch (error) {
    if (!(error instanceof ReviewError)) throw error;
    return failure(error.message);
  }
}

/** The tools that an editor has besides those of the contract. */
export const listCapabilities = (editor: OptionalCapabilities): readonly ListedTool[] =>
  capabilityToolList.filter(({ name }) => isCapability(name, editor));

const isToolName = (name: unknown): name is ToolName =>
  typeof name === "string" && Object.hasOwn(tools, name);

/** Whether an editor can do what a tool is for. */
const isCapability = (name: unknown, editor: OptionalCapabilities): name is CapabilityName =>
  (name === "openFile" || name === "getDiagnostics") && editor[name] !== undefined;

async function asked<Value>(what: string, work: Promise<Value> | undefined): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    throw new ReviewError(`${what}: ${messageOf(error)}`);
  }
}

function handler<Input>(
  schema: z.ZodType<Input>,
  run: (input: Input, diffs: Session, core: Core) => Promise<ToolResult>,
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
