import { chmodSync, existsSync, renameSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { agents } from "../../../agents.ts";
import type { Decision, ExampleEditor, ShownDiff } from "../../../example/editor.ts";
import { isJson, type Json } from "../../../wire/json-rpc.ts";
import type { ExampleSession } from "./session.ts";

/** What a tool was called with. */
export interface Call {
  readonly session: ExampleSession;
  readonly editor: ExampleEditor;
  readonly filePath: string;
  readonly newContent: string;
  readonly suppressNotification: boolean;
  /** Every session, for faults that confuse them. */
  readonly sessions: readonly ExampleSession[];
}

type ToolResult = { content: { type: "text"; text: string }[]; isError?: true };

/** What the example's tools do. */
export const toolRules = {
  tools: {
    openDiff: schema({ filePath: "string", newContent: "string" }),
    closeDiff: schema({ filePath: "string" }, { suppressNotification: "boolean" }),
    acceptDiff: schema({ filePath: "string" }),
    rejectDiff: schema({ filePath: "string" }),
  } as Record<string, object>,
  openDiff,
  closeDiff,
  acceptDiff,
  rejectDiff,
  wrongArguments: (_input: object): object => ({ error: { code: -32602, message: "wrong arguments" } }),
  /** Why a diff cannot be shown. */
  problemWith,
  /** The form in which `closeDiff` answers with a text. */
  closedText: (text: string, session: ExampleSession) =>
    // Some CLIs take their user's edits in this form only; other clients follow the specification.
    agents[session.agent].readsJsonText && session.clientName === "streamable-http-client"
      ? JSON.stringify({ content: text })
      : text,
  /** Whether `suppressNotification` has an effect. */
  suppresses: true,
  takeAway,
  /** How `acceptDiff` writes. */
  writeFile: writeWhole,
  /** The session whose diff a call means. */
  owner: ({ session }: Call) => session,
  /** Sends the outcome of a decision. */
  outcome: ({ session, filePath }: Call, decision: Decision, content: string) => {
    if (decision === "accepted") session.notify("ide/diffAccepted", { filePath, content });
    else session.notify("ide/diffRejected", { filePath });
  },
  /** Whether an empty text can be accepted. Both CLIs would write their own proposal. */
  takesEmptyText: false,
  /** The proposed text as the view shows it. */
  shownText: (text: string) => text,
};

export type ToolRules = typeof toolRules;

/** Answers `tools/call`. */
export function callTool(
  { name, arguments: input }: Json,
  caller: Pick<Call, "session" | "editor" | "sessions">,
  rules: ToolRules,
): object {
  const { filePath, newContent, suppressNotification } = isJson(input) ? input : {};
  const { openDiff, closeDiff, acceptDiff, rejectDiff } = rules;
  const tools: Readonly<Record<string, typeof openDiff>> = { openDiff, closeDiff, acceptDiff, rejectDiff };
  const tool = tools[String(name)];
  if (!tool) return { error: { code: -32602, message: `there is no tool ${name}` } };
  const isComplete = typeof filePath === "string" && (name !== "openDiff" || typeof newContent === "string");
  if (!isComplete) return rules.wrongArguments({ filePath, newContent });
  const call = {
    ...caller,
    filePath,
    newContent: String(newContent),
    suppressNotification: suppressNotification === true,
  };
  return { result: tool(call, rules) };
}

function openDiff(call: Call, rules: ToolRules): ToolResult {
  const { session, editor, filePath, newContent } = call;
  const problem = rules.problemWith(call);
  if (problem !== undefined) return failure(problem);
  takeAway(call, session.diffs.get(filePath));
  const diff: ShownDiff = {
    filePath,
    text: rules.shownText(newContent),
    decide(decision, text) {
      if (decision === "accepted" && text === "" && !rules.takesEmptyText)
        throw new Error("an empty text would be ignored");
      takeAway(call, diff);
      rules.outcome(call, decision, text);
    },
  };
  editor.diffs.add(diff);
  session.diffs.set(filePath, diff);
  return { content: [] };
}

function closeDiff(call: Call, rules: ToolRules): ToolResult {
  const { session, diff } = ownDiff(call, rules);
  if (!diff) return failure(`no diff of ${call.filePath} is open`);
  rules.takeAway({ ...call, session }, diff);
  if (!call.suppressNotification || !rules.suppresses) rules.outcome({ ...call, session }, "rejected", "");
  return { content: [{ type: "text", text: rules.closedText(diff.text, session) }] };
}

function acceptDiff(call: Call, rules: ToolRules): ToolResult {
  const { session, diff } = ownDiff(call, rules);
  if (!diff) return failure(`no diff of ${call.filePath} is open`);
  rules.writeFile(call.filePath, diff.text);
  takeAway({ ...call, session }, diff);
  rules.outcome({ ...call, session }, "accepted", diff.text);
  return { content: [{ type: "text", text: "accepted" }] };
}

function rejectDiff(call: Call, rules: ToolRules): ToolResult {
  const { session, diff } = ownDiff(call, rules);
  if (!diff) return failure(`no diff of ${call.filePath} is open`);
  takeAway({ ...call, session }, diff);
  rules.outcome({ ...call, session }, "rejected", "");
  return { content: [{ type: "text", text: "rejected" }] };
}

function ownDiff(call: Call, rules: ToolRules) {
  const session = rules.owner(call);
  return { session, diff: session.diffs.get(call.filePath) };
}

/** Removes a view without a notification. */
export function takeAway(
  { editor, session }: Pick<Call, "editor" | "session">,
  diff: ShownDiff | undefined,
): void {
  if (!diff) return;
  editor.diffs.delete(diff);
  session.diffs.delete(diff.filePath);
}

function problemWith({ filePath }: Call): string | undefined {
  if (!path.isAbsolute(filePath)) return `filePath must be absolute, got ${JSON.stringify(filePath)}`;
  if (filePath.includes("\0")) return "filePath must not hold NUL";
  if (existsSync(filePath) && !statSync(filePath).isFile()) return `${filePath} is not a file`;
  return undefined;
}

function writeWhole(file: string, text: string): void {
  const mode = existsSync(file) ? statSync(file).mode : 0o644;
  writeFileSync(`${file}.new`, text, { flag: "wx" });
  chmodSync(`${file}.new`, mode);
  renameSync(`${file}.new`, file);
}

function failure(text: string): ToolResult {
  return { isError: true, content: [{ type: "text", text }] };
}

function schema(needed: Record<string, string>, optional: Record<string, string> = {}): object {
  const properties = Object.entries({ ...needed, ...optional }).map(([name, type]) => [name, { type }]);
  return { type: "object", properties: Object.fromEntries(properties), required: Object.keys(needed) };
}
