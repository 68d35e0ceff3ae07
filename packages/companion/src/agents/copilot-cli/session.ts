import { fileURLToPath, pathToFileURL } from "node:url";
import type { NewProposal } from "../../core/changes/review.ts";
import type { Context } from "../../core/context.ts";
import type { SessionInfo } from "../../core/events.ts";
import type { Mention } from "../../core/prompt-message.ts";
import type { OpenSession, PromptResult, PromptText } from "../../core/sessions.ts";
import { safeText } from "../../files/safe-text.ts";
import type { EventStream } from "../../transport/event-stream.ts";
import { findByFile } from "../diagnostics.ts";
import type { Core } from "../family.ts";
import { HeldDiffs, type HeldOutcome } from "../held-diffs.ts";
import { toSelection } from "../selection.ts";
import { answer, failure, parseParams, type ToolAnswer } from "../tools.ts";
import { copilot } from "./copilot.ts";
import {
  CloseDiffInput,
  GetDiagnosticsInput,
  OpenDiffInput,
  ToolCall,
  UpdateSessionNameInput,
} from "./tools.ts";

/** All in milliseconds. */
const limits = {
  /** A CLI re-opens a broken stream after a second; a session whose stream stays away is over. */
  withoutStream: 3000,
  /** The CLI opens its stream right after its introduction. */
  firstStream: 10_000,
  /** How long a model waits for an editor that looks for diagnostics. */
  diagnostics: 2000,
};

/** UTF-16 units of a conversation's name that are shown. */
const maxName = 60;

/** One CLI, from its introduction until it is gone. */
export class Session {
  /** As the CLI has it: one for this session and the CLI's own. */
  readonly id: string;
  readonly #core: Core;
  readonly #open: OpenSession;
  /** By their tabs. */
  readonly #diffs: HeldDiffs;
  readonly #onEnd: () => void;
  /** Oldest first. The newest may be one of a former connection that comes late: the selection goes over all of them. */
  readonly #streams: EventStream[] = [];
  /** What the user wants in the prompt, while there is no stream. */
  #held: Buffer[] = [];
  #conversation = "";
  /** The file of the last selection that was sent. */
  #lastFile: Pick<WireSelection, "filePath" | "fileUrl"> | undefined;
  #sent = "";
  readonly #stopFeed: () => void;
  #patience: NodeJS.Timeout;

  /** @param onEnd called once */
  constructor(id: string, client: SessionInfo["client"], core: Core, onEnd: () => void) {
    this.id = id;
    this.#core = core;
    this.#onEnd = onEnd;
    this.#open = core.sessions.open(copilot.displayName, client, {
      mention: (one) => this.#mention(one),
      prompt: (text, patience) => this.#prompt(text, patience),
    });
    // A call gets no answer when the companion stops.
    const { reviews } = core;
    this.#diffs = new HeldDiffs({ session: this.#open, reviews, agentName: () => this.#agentName, toAnswer });
    this.#stopFeed = core.context.subscribe(() => this.#sendSelection());
    this.#patience = this.#endIn(limits.firstStream);
  }

  /** The newest stream carries references from now on, and like all others the selection, which comes first. */
  addStream(stream: EventStream): void {
    clearTimeout(this.#patience);
    this.#streams.push(stream);
    const { events } = this.#core;
    events.emit({ kind: "stream-opened", session: this.#open.info });
    stream.onClose(() => {
      this.#streams.splice(this.#streams.indexOf(stream), 1);
      // Nobody is to hear of a session again that is over.
      if (this.#open.isOver) return;
      events.emit({ kind: "stream-closed", session: this.#open.info });
      if (this.#streams.length === 0) this.#patience = this.#endIn(limits.withoutStream);
    });
    this.#sent = "";
    this.#sendSelection();
    for (const frame of this.#held.splice(0)) stream.write(frame);
  }

  /**
   * @param onAway calls back when the caller has gone: then nobody hears the answer
   * @throws RpcError that says what is wrong
   */
  async callTool(params: unknown, onAway: (listener: () => void) => void): Promise<ToolAnswer> {
    const { name, arguments: input = {} } = parseParams(ToolCall, params);
    switch (name) {
      case "open_diff": {
        const { original_file_path, new_file_contents, tab_name } = parseParams(OpenDiffInput, input);
        this.#open.markUsed();
        onAway(() => void this.#diffs.close(tab_name));
        return this.#diffs.open({
          key: tab_name,
          filePath: original_file_path,
          newContent: new_file_contents,
          readOnlyReason: { code: "takes-no-edits", values: [this.#open.info.agent] },
        });
      }
      case "close_diff": {
        const { tab_name } = parseParams(CloseDiffInput, input);
        const wasOpen = await this.#diffs.close(tab_name);
        const message = wasOpen ? "The diff is closed" : "There was no such diff any more";
        return answerWith({ success: true, already_closed: !wasOpen, tab_name, message });
      }
      case "get_selection": {
        const selection = toWireSelection(this.#core.context.current);
        return answerWith(selection ? { ...selection, current: true } : null);
      }
      case "get_diagnostics":
        return answerWith(await this.#describeDiagnostics(parseParams(GetDiagnosticsInput, input).uri));
      case "update_session_name": {
        this.#conversation = parseParams(UpdateSessionNameInput, input).name;
        this.#open.markUsed();
        return answerWith({ success: true });
      }
    }
  }

  /** Idempotent. @param reason a few words for the user */
  async end(reason: string): Promise<void> {
    if (this.#open.isOver) return;
    clearTimeout(this.#patience);
    this.#stopFeed();
    this.#onEnd();
    for (const stream of [...this.#streams]) stream.end();
    await this.#open.end(reason);
  }

  /** Together with the conversation, by which users of several CLIs tell whose diff it is. */
  get #agentName(): string {
    const { agent } = this.#open.info;
    const name = safeText(this.#conversation.trim());
    if (name === "") return agent;
    return `${agent} (${name.length > maxName ? `${name.slice(0, maxName)}…`.toWellFormed() : name})`;
  }

  #endIn(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => void this.end("it went away"), milliseconds).unref();
  }

  #sendSelection(): void {
    if (this.#streams.length === 0) return;
    const selection = toWireSelection(this.#core.context.current);
    // The CLI keeps the last text for every prompt until it is sent another, and needs a file with it.
    const empty = this.#lastFile && { ...this.#lastFile, ...nothing };
    const next = selection ?? empty;
    const text = JSON.stringify(next);
    if (next === undefined || text === this.#sent) return;
    this.#sent = text;
    this.#lastFile = { filePath: next.filePath, fileUrl: next.fileUrl };
    const frame = toFrame("selection_changed", next);
    for (const stream of this.#streams) stream.writeContext(frame);
  }

  #mention(mention: Mention): void {
    const frame = toFrame("add_file_reference", toReference(mention));
    const stream = this.#streams.at(-1);
    if (stream) stream.write(frame);
    else this.#held.push(frame);
  }

  async #prompt(text: PromptText, patience: number): Promise<PromptResult> {
    // Not the process that the CLI names: anything that has the token could name another one.
    const stream = this.#streams.at(-1);
    if (!stream?.isOpen) return "unreached";
    const { isEmptyBetweenLines, typeInPromptOf } = await import("../prompt.ts");
    return typeInPromptOf(stream.peer, text, isEmptyBetweenLines, { editor: this.#core.editor, patience });
  }

  async #describeDiagnostics(uri: string | undefined): Promise<readonly object[]> {
    const path = uri === undefined ? undefined : toPath(uri);
    const files = await findByFile(this.#core, path, limits.diagnostics);
    return files.map(({ filePath, diagnostics }) => ({
      uri: pathToFileURL(filePath).href,
      filePath,
      diagnostics: diagnostics.map((one) => ({ ...one, severity: severities[one.severity] })),
    }));
  }
}

/** The CLI's own summary counts these alone. */
const severities = { error: "Error", warning: "Warning", info: "Information", hint: "Hint" } as const;

/** The parameters of `selection_changed`: the CLI needs all of them. */
interface WireSelection extends ReturnType<typeof toSelection> {
  readonly filePath: string;
  readonly fileUrl: string;
}

const nothing = toSelection({ files: [] });

function toWireSelection(context: Context): WireSelection | undefined {
  const { filePath, fileUrl, ...selection } = toSelection(context);
  return filePath === undefined || fileUrl === undefined ? undefined : { ...selection, filePath, fileUrl };
}

/** The parameters of `add_file_reference`: whole lines. */
export function toReference({ path, lines }: Mention): object {
  const at = (line: number) => ({ line: line - 1, character: 0 });
  return {
    filePath: path,
    fileUrl: pathToFileURL(path).href,
    selection: lines ? { start: at(lines.first), end: at(lines.last) } : null,
    selectedText: null,
  };
}

const toFrame = (method: string, params: object) =>
  Buffer.from(`data: ${JSON.stringify({ jsonrpc: "2.0", method, params })}\n\n`);

/** A model may write a path as well. */
function toPath(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    return uri;
  }
}

const answerWith = (value: unknown): ToolAnswer => answer(JSON.stringify(value));

function toAnswer(outcome: HeldOutcome, { key, filePath }: NewProposal): ToolAnswer | undefined {
  const decided = (result: "SAVED" | "REJECTED", trigger: string, message: string) =>
    answerWith({ success: true, result, trigger, tab_name: key, message: `${message} ${filePath}` });
  switch (outcome.kind) {
    case "accepted":
      return decided("SAVED", "accepted_via_button", "The user has accepted the change of");
    case "rejected":
      return decided("REJECTED", "rejected_via_button", "The user has rejected the change of");
    case "withdrawn":
      return decided("REJECTED", "closed_via_tool", "The diff is closed of");
    case "failed":
      return failure(outcome.message);
    case "closed":
      if (outcome.reason === "replaced")
        return decided("REJECTED", "closed_via_tool", "A newer diff has taken the place of the one of");
      // Nobody has rejected it. When the companion stops, the connections end without an answer.
      // The question in the terminal stays.
      return outcome.reason === "shutdown" ? undefined : failure("The session of this diff is over");
  }
}
