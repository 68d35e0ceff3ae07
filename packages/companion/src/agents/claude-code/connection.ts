import { existsSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import type { NewProposal } from "../../core/changes/review.ts";
import { toMessage } from "../../core/comments/message.ts";
import type { Proposal } from "../../core/editor.ts";
import type { Mention } from "../../core/prompt-message.ts";
import type { Notice } from "../../core/sentences.ts";
import type { HeardDecision, OpenSession, PromptResult, PromptText } from "../../core/sessions.ts";
import { type FilePathRules, whyNoFilePath } from "../../files/file-path.ts";
import type { Ends } from "../../system/liveness.ts";
import type { Channel } from "../../transport/channel.ts";
import {
  errorCodes,
  RpcError,
  type RpcNotice,
  type RpcPeer,
  type RpcRequest,
  servePeer,
} from "../../transport/json-rpc.ts";
import type { OnChannel } from "../../transport/websocket.ts";
import { findByFile } from "../diagnostics.ts";
import type { Core } from "../family.ts";
import { HeldDiffs, type HeldOutcome } from "../held-diffs.ts";
import { introduce } from "../mcp-http.ts";
import { toSelection } from "../selection.ts";
import { answer, failure, parseParams, type ToolAnswer } from "../tools.ts";
import { claude } from "./claude.ts";
import { CloseTabInput, GetDiagnosticsInput, OpenDiffInput, ToolCall, toolList } from "./tools.ts";

/** Newest first. */
const protocolVersions = ["2025-11-25", "2025-06-18", "2024-11-05"];

/**
 * The CLI loses what is sent shortly after it lists the tools: when it is sent again, in milliseconds. Version 1.0 on a
 * busy machine has lost it three seconds later.
 */
const repetitions = [300, 1500, 4000, 8000];

/** Milliseconds in which the CLI closes a diff once its hook has denied the change. */
const hookPatience = 3000;

const Initialize = z.object({
  protocolVersion: z.string(),
  clientInfo: z.object({ name: z.string(), title: z.string().optional(), version: z.string() }),
});

type Client = z.infer<typeof Initialize>["clientInfo"];

const IdeConnected = z.object({ pid: z.int().positive() });

/** Serves each connection as one session. */
export const serveConnection =
  (core: Core): OnChannel =>
  (channel) =>
    void new Connection(channel, core);

/** One CLI, from its connection until either side closes it. */
class Connection {
  readonly #core: Core;
  readonly #peer: RpcPeer;
  /** Where the CLI is. */
  readonly #at: Ends | undefined;
  #client: Client | undefined;
  #opened: { readonly session: OpenSession; readonly diffs: HeldDiffs } | undefined;
  /** The selection as last sent. */
  #sent = "";
  /** Hooks of the CLI that wait next to its question, by the question's file. */
  readonly #hooks = new Map<string, (heard?: HeardDecision) => void>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #stop = () => {};

  constructor(channel: Channel, core: Core) {
    this.#core = core;
    this.#at = channel.peer;
    this.#peer = servePeer(channel, {
      call: (request) => this.#call(request),
      onNotice: (notice) => this.#take(notice),
    });
    channel.onClose(() => this.#end());
  }

  async #call({ method, params }: RpcRequest): Promise<unknown> {
    switch (method) {
      case "initialize":
        return this.#initialize(params);
      case "ping":
        return {};
      case "tools/list":
        this.#open();
        this.#repeatSelection();
        return { tools: toolList };
      case "tools/call":
        return this.#callTool(params);
      default:
        throw new RpcError(errorCodes.methodNotFound, `Method not found: ${method}`);
    }
  }

  #initialize(params: unknown) {
    const { clientInfo, protocolVersion } = parseParams(Initialize, params);
    this.#client = clientInfo;
    return introduce(this.#core.version, protocolVersion, protocolVersions);
  }

  #take({ method, params }: RpcNotice): void {
    if (!this.#client) return;
    if (method === "ide_connected") this.#open(IdeConnected.safeParse(params).data?.pid);
    // This CLI says next which process it is; others say nothing more.
    else if (method === "notifications/initialized" && !isClaude(this.#client)) this.#open();
  }

  /** Both are a session from the moment on at which it is known whose it is. */
  #open(pid?: number) {
    if (this.#opened) return this.#opened;
    const { sessions, context, events } = this.#core;
    if (!this.#client) throw new RpcError(errorCodes.invalidRequest, "The first request is initialize");
    const { name, title = name, version } = this.#client;
    const session = sessions.open(
      isClaude(this.#client) ? claude.displayName : title,
      { name, version, ...(pid !== undefined && { pid }) },
      {
        mention: (mention) => this.#peer.notify("at_mentioned", toMention(mention)),
        hearDecision: (filePath, signal) => this.#hearDecision(filePath, signal),
        ...(isClaude(this.#client) && this.#at && { prompt: this.#prompt.bind(this, this.#at) }),
      },
    );
    events.emit({ kind: "stream-opened", session: session.info });
    this.#stop = context.subscribe(() => this.#sendSelection());
    this.#sendSelection();
    // By their tabs. A call gets no answer when the companion stops.
    const diffs = new HeldDiffs({
      ...{ session, reviews: this.#core.reviews, objectionTo: whyNotTaken },
      takesComments: ({ filePath }) => this.#hooks.has(filePath),
      toAnswer: (...ended) => this.#answerDiff(...ended),
    });
    this.#opened = { session, diffs };
    return this.#opened;
  }

  #answerDiff(outcome: HeldOutcome, { filePath }: NewProposal, proposal?: Proposal) {
    const tell = this.#hooks.get(filePath);
    this.#hooks.delete(filePath);
    const said = toAnswer(outcome);
    if (!tell || !proposal || !("comments" in outcome) || !outcome.comments) {
      tell?.();
      return said;
    }
    const { kind, comments } = outcome;
    const onDelivered = () => this.#core.events.emit({ kind: "outcome-delivered", proposal });
    tell({ kind, message: toMessage({ filePath, outcome: kind, comments }), onDelivered });
    // A rejection would stop the turn, and the hook with it: what the hook says comes first.
    return said && kind === "rejected" ? wait(hookPatience, said, { ref: false }) : said;
  }

  async #hearDecision(filePath: string, signal: AbortSignal): Promise<HeardDecision | undefined> {
    if (signal.aborted || !this.#opened?.diffs.isOpen(filePath)) return undefined;
    return new Promise((resolve) => {
      this.#hooks.get(filePath)?.();
      this.#hooks.set(filePath, resolve);
      signal.addEventListener("abort", () => {
        if (this.#hooks.get(filePath) === resolve) this.#hooks.delete(filePath);
        resolve(undefined);
      });
    });
  }

  async #callTool(params: unknown): Promise<ToolAnswer> {
    const { name, arguments: input = {} } = parseParams(ToolCall, params);
    const { session, diffs } = this.#open();
    switch (name) {
      case "openDiff": {
        const { new_file_path, new_file_contents, tab_name } = parseParams(OpenDiffInput, input);
        return diffs.open({ filePath: new_file_path, newContent: new_file_contents, key: tab_name });
      }
      case "close_tab":
        await diffs.close(parseParams(CloseTabInput, input).tab_name);
        return answer("TAB_CLOSED");
      case "closeAllDiffTabs":
        // The CLI begins every prompt with it.
        session.notePrompt();
        return answer(`CLOSED_${await diffs.closeAll()}_DIFF_TABS`);
      case "getDiagnostics":
        return answer(await describeDiagnostics(this.#core, parseParams(GetDiagnosticsInput, input).uri));
    }
  }

  #sendSelection({ isRepeated = false } = {}): void {
    const selection = toSelection(this.#core.context.current);
    const text = JSON.stringify(selection);
    if (text === this.#sent && !isRepeated) return;
    this.#sent = text;
    this.#peer.notifyLatest("selection_changed", selection);
  }

  #repeatSelection(): void {
    for (const delay of repetitions) {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        this.#sendSelection({ isRepeated: true });
      }, delay).unref();
      this.#timers.add(timer);
    }
  }

  async #prompt(at: Ends, text: PromptText, patience: number): Promise<PromptResult> {
    const { isEmptyBetweenLines, typeInPromptOf } = await import("../prompt.ts");
    return typeInPromptOf(at, text, isEmptyBetweenLines, { editor: this.#core.editor, patience });
  }

  #end(): void {
    this.#stop();
    for (const timer of this.#timers) clearTimeout(timer);
    const { session } = this.#opened ?? {};
    if (!session) return;
    this.#core.events.emit({ kind: "stream-closed", session: session.info });
    void session.end("it went away");
  }
}

/** The parameters of `at_mentioned`; lines from 0. */
export const toMention = ({ path, lines }: Mention) => ({
  filePath: path,
  ...(lines && { lineStart: lines.first - 1, lineEnd: lines.last - 1 }),
});

/**
 * The text that answers `getDiagnostics`.
 * @param uri `file://` and an absolute path
 */
async function describeDiagnostics(core: Core, uri?: string): Promise<string> {
  const path = uri === undefined ? undefined : toPath(uri, { roots: core.roots() });
  const files = await findByFile(core, path, limit);
  return JSON.stringify(
    files.map(({ filePath, diagnostics }) => ({
      uri: filePath === path ? uri : `file://${filePath}`,
      diagnostics: diagnostics.map((one) => ({ ...one, severity: severities[one.severity] })),
    })),
  );
}

const isClaude = ({ name }: Client) => name === "claude-code";

/** Every edit waits for the answer, in milliseconds: half a second at most, then the CLI goes on without. */
const limit = 400;

const severities = { error: "Error", warning: "Warning", info: "Info", hint: "Hint" } as const;

/**
 * The CLI puts the path there as it is; a model that calls the tool may encode it. The system is asked about no path
 * that may not name a file.
 */
export function toPath(
  uri: string,
  rules: FilePathRules,
  exists: (path: string) => boolean = existsSync,
): string {
  const path = uri.replace(/^file:\/\//, "");
  const isThere = (one: string) => whyNoFilePath(one, rules) === undefined && exists(one);
  try {
    const decoded = decodeURIComponent(path);
    return !isThere(path) && isThere(decoded) ? decoded : path;
  } catch {
    return path; // no encoding of anything
  }
}

function toAnswer(outcome: HeldOutcome): ToolAnswer | undefined {
  switch (outcome.kind) {
    case "accepted":
      return answer("FILE_SAVED", outcome.content);
    case "failed":
      return failure(outcome.message);
    case "closed":
      // Nobody has rejected it when the companion stops: the question stays open in the terminal.
      return outcome.reason === "replaced" ? answer("DIFF_REJECTED") : undefined;
    default:
      return answer("DIFF_REJECTED");
  }
}

/** The CLI takes a text that is the file's as a rejection, and for it a file that is missing is empty. */
function whyNotTaken(content: string, { filePath, agent }: Proposal): Notice | undefined {
  if (content !== "" || existsSync(filePath)) return undefined;
  return { code: "empty-new-file", values: [agent] };
}
