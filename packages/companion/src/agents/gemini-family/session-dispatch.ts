import type { OptionalCapabilities } from "../../core/editor.ts";
import { checkFilePath } from "../../core/review-error.ts";
import type { Reviews } from "../../core/reviews.ts";
import { pathKey } from "../../files/path-key.ts";
import { safeText } from "../../files/safe-text.ts";
import { createLaterPart, loadPart } from "../../system/later-part.ts";
import { errorCodes, isObject, RpcError, type RpcRequest } from "../../transport/json-rpc.ts";
import { withByteOrderMark } from "./byte-order-mark.ts";
import { type ListedTool, toolList } from "./contract/tool-list.gen.ts";
import type { SharedFiles } from "./optional-capabilities.ts";
import type { ClientInfo } from "./quirks.ts";
import type { Session } from "./session.ts";
import type { ToolCaller } from "./tool-calls.ts";

/** The protocol versions that know sessions, newest first. */
export const sessionVersions: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26"];

/** What a client says of itself at `initialize`. */
export interface Introduction {
  readonly client: ClientInfo;
  readonly protocolVersion: string;
  /** When it announces that it has read our contract, with any agent's token. */
  readonly announced: Announcement | undefined;
}

export interface Announcement {
  /** Its name for people. */
  readonly title: string;
  /** The agent that it speaks for, as that one would. */
  readonly agent?: string;
}

/** @throws RpcError when the parameters are not those of an `initialize`. */
export function parseInitialize({ params }: RpcRequest): Introduction {
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== "string" || !isObject(capabilities) || !isObject(clientInfo)) {
    const message = "initialize needs protocolVersion, capabilities and clientInfo";
    throw new RpcError(errorCodes.invalidParams, message);
  }
  const client = { name: shortText(clientInfo.name), version: shortText(clientInfo.version) };
  const title = typeof clientInfo.title === "string" ? clientInfo.title : client.name;
  return { client, protocolVersion, announced: parseAnnouncement(capabilities, shortText(title)) };
}

/** The same announcement as a plugin's. */
function parseAnnouncement(
  { experimental }: Readonly<Record<string, unknown>>,
  title: string,
): Announcement | undefined {
  if (!isObject(experimental) || !isObject(experimental.ideCompanion)) return undefined;
  const { agent } = experimental.ideCompanion;
  return { title, ...(typeof agent === "string" && { agent }) };
}

/** The result of `initialize`: the version asked for, or else the newest that we serve. */
export function toInitializeResult({ protocolVersion }: Introduction, version: string) {
  const [newest] = sessionVersions;
  return {
    protocolVersion: sessionVersions.includes(protocolVersion) ? protocolVersion : newest,
    capabilities: { tools: {} },
    serverInfo: { name: "ide-companion", version },
  };
}

export interface DispatchOptions {
  readonly book: Reviews;
  readonly editor: OptionalCapabilities;
  readonly sharing: SharedFiles;
}

/** The schemas that check arguments are loaded with the first call, not at the start. */
const toolCalls = createLaterPart(() => import("./tool-calls.ts"));

/**
 * The result of a request within a session: the part of MCP that a server with tools alone must speak.
 * @throws RpcError for what is answered with an error.
 */
export async function dispatch(
  request: RpcRequest,
  session: Session,
  options: DispatchOptions,
): Promise<object> {
  switch (request.method) {
    case "ping":
      return {};
    case "tools/list":
      return {
        tools: session.listsCapabilities ? await withCapabilities(options) : offeredTools(options.book),
      };
    case "tools/call": {
      const { callTool } = await toolCalls.get();
      const { name, arguments: input = {} } = request.params;
      return callTool(name, input, createCaller(session, options));
    }
    case "initialize":
      throw new RpcError(errorCodes.invalidRequest, "This session has been initialized already");
    default:
      throw new RpcError(errorCodes.methodNotFound, `Method not found: ${request.method}`);
  }
}

/** Loaded for those who ask: what the CLIs are sent stays ready made. */
async function withCapabilities({ book, editor }: DispatchOptions): Promise<object> {
  const { listCapabilities } = await loadPart(() => import("./optional-capabilities.ts"));
  return [...offeredTools(book), ...listCapabilities(editor)];
}

/** The tools of the contract that agents may call here. */
export const offeredTools = ({ agentAccept }: Reviews): readonly ListedTool[] =>
  agentAccept ? toolList : toolList.filter(({ name }) => name !== "acceptDiff");

function createCaller(session: Session, { book, editor, sharing }: DispatchOptions): ToolCaller {
  return {
    editor,
    sharing,
    roots: book.roots,
    async openDiff(filePath, newContent) {
      checkFilePath(filePath, { roots: book.roots });
      session.forgetOutcomes(filePath);
      const text = session.quirks.dropsByteOrderMark ? withByteOrderMark(filePath, newContent) : newContent;
      await book.propose(session, { key: pathKey(filePath), filePath, newContent: text });
    },
    async closeDiff(filePath, { suppressNotification }) {
      const key = pathKey(filePath);
      const proposal = book.find(session.id, key);
      const text = await book.close(session.id, key);
      // In the agent's first spelling of the path: it waits for that.
      if (proposal && !suppressNotification) session.deliver({ kind: "rejected" }, proposal);
      return session.closeDiffAnswer(text);
    },
    acceptDiff: (filePath) => book.accept(session.id, pathKey(filePath)),
    rejectDiff: (filePath) => book.reject(session.id, pathKey(filePath)),
  };
}

function shortText(value: unknown): string {
  const text = typeof value === "string" ? value.slice(0, 100).trim() : "";
  return text === "" ? "unknown" : safeText(text);
}
