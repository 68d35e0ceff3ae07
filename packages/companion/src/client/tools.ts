import { setTimeout } from "node:timers/promises";
import { type Client, ProtocolError, SdkHttpError } from "@modelcontextprotocol/client";
import type { CapabilityName, ToolName } from "../agents/gemini-family/contract/tools.ts";
import { isObject, tryParseJson } from "../system/json.ts";
import type { DiffOutcome, PendingDiff, PendingDiffs } from "./pending-diffs.ts";

/** How much later than the answer to a call a diff's outcome may come, in milliseconds. */
export const lag = 1000;

/** The companion shows no diff of this file, and says why. */
export class DiffRefused extends Error {
  override readonly name = "DiffRefused";
}

const missing: Readonly<Record<CapabilityName, string>> = {
  openFile: "this editor does not open files for others",
  getDiagnostics: "this editor reports no diagnostics",
};

/** What only some editors can do is among the tools of those that can. */
export function checkCapability(tools: readonly string[], name: CapabilityName): void {
  if (!tools.includes(name)) throw new Error(missing[name]);
}

interface OpenDiff {
  readonly client: Client;
  readonly tools: readonly string[];
  readonly pending: PendingDiffs;
  readonly filePath: string;
  readonly newContent: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * Proposes a file's whole new text and waits for the user.
 * @throws as `CompanionClient.openDiff`
 */
export async function openDiff(options: OpenDiff): Promise<DiffOutcome> {
  const { client, pending, filePath, newContent, signal } = options;
  await pending.free(filePath);
  signal?.throwIfAborted();
  // Before the call: the user may decide before its answer has arrived.
  const diff = pending.expect(filePath);
  const withdraw = () => {
    diff.fail(signal?.reason);
    // When this fails the companion has gone, and the diff with it.
    pending.end(filePath, () => takeBack(options, diff)).catch(() => {});
  };
  signal?.addEventListener("abort", withdraw, { once: true });
  try {
    const call = callTool(client, "openDiff", { filePath, newContent });
    pending.open(filePath, call);
    // Whichever fails first: the call, or the wait for its outcome.
    await Promise.race([call, diff.outcome]);
    return await diff.outcome;
  } catch (error) {
    diff.fail(error);
    throw error;
  } finally {
    signal?.removeEventListener("abort", withdraw);
  }
}

/**
 * Nobody takes the text of a closed diff here: one that is rejected leaves the user's edits in the editor.
 * @returns once the companion sends nothing more about the diff
 */
async function takeBack({ client, tools, filePath }: OpenDiff, { heard }: PendingDiff): Promise<void> {
  if (!tools.includes("rejectDiff")) {
    await callTool(client, "closeDiff", { filePath, suppressNotification: true });
    return;
  }
  await callTool(client, "rejectDiff", { filePath });
  // Its outcome comes by the stream, and may come later than the answer.
  await Promise.race([heard, setTimeout(lag, undefined, { ref: false })]);
}

/**
 * @returns the text of its answer; empty when it has none
 * @throws DiffRefused with the companion's answer, where that is no
 * @throws Error of any other kind when the connection has failed
 */
export async function callTool(
  client: Client,
  name: ToolName | CapabilityName,
  input: Readonly<Record<string, unknown>>,
): Promise<string> {
  const result = await client.callTool({ name, arguments: { ...input } }).catch((error: unknown) => {
    if (!isAnswer(error)) throw error;
    throw new DiffRefused(wordsOf(error), { cause: error });
  });
  const text = result.content.find((block) => block.type === "text")?.text ?? "";
  if (result.isError) throw new DiffRefused(text || `${name} failed`);
  return text;
}

/** The companion has read the call, or that it is too long to be read: asked again, it would say the same. */
const isAnswer = (error: unknown): error is Error =>
  ProtocolError.isInstance(error) || (SdkHttpError.isInstance(error) && error.status === 413);

/** What the companion says, without the transport's words around it. */
function wordsOf(error: Error): string {
  const said = SdkHttpError.isInstance(error) ? tryParseJson(String(error.data.text)) : undefined;
  return isObject(said) && isObject(said.error) ? String(said.error.message) : error.message;
}
