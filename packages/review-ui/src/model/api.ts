import type { Comment } from "../../../companion/src/core/editor.ts";
import type { FileText } from "../../../companion/src/files/file-text.ts";
import type {
  EditsTexts,
  HistoryTexts,
  PageMessage,
  ProposalTexts,
  SearchHit,
  TreeEntry,
} from "../../../companion/src/frontends/review/protocol.ts";
import type { Wording } from "../language/language.ts";

export type { WaitingComments } from "../../../companion/src/frontends/review/page-comments.ts";
export type {
  AgentChoice,
  EditsSummary,
  EditsTexts,
  FrontendMessage,
  HistoryEntry,
  HistoryTexts,
  PageMessage,
  ProposalSummary,
  ProposalTexts,
  SearchHit,
  SessionSummary,
  TreeEntry,
  TurnSummary,
} from "../../../companion/src/frontends/review/protocol.ts";
export type { Comment, FileText };

/** A request that the frontend refused or did not answer. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** What the page reads over HTTP. Every method rejects with an ApiError when the frontend refuses or cannot be reached. */
export type Api = ReturnType<typeof createApi>;

/** @param onLocked called when this browser has lost access */
export function createApi(onLocked: () => void, { t, translate }: Pick<Wording, "t" | "translate">) {
  async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
    const request = fetch(path, { credentials: "same-origin", ...(signal ? { signal } : {}) });
    const response = await request.catch((error) => {
      throw signal?.aborted ? error : new ApiError(0, t("The companion cannot be reached just now."));
    });
    const body = await response.json();
    if (response.ok) return body;
    if (response.status === 401) onLocked();
    throw new ApiError(response.status, translate(String(body.error ?? response.statusText)));
  }

  return {
    /** @param path absolute; without it the roots */
    tree: (path?: string) =>
      get<readonly TreeEntry[]>(
        path === undefined ? "/api/tree" : `/api/tree?path=${encodeURIComponent(path)}`,
      ),
    search: (text: string, signal: AbortSignal) =>
      get<readonly SearchHit[]>(`/api/search?q=${encodeURIComponent(text)}`, signal),
    file: (path: string) => get<FileText>(`/api/file?path=${encodeURIComponent(path)}`),
    proposal: (id: string) => get<ProposalTexts>(`/api/proposals/${encodeURIComponent(id)}`),
    history: (id: string) => get<HistoryTexts>(`/api/history/${encodeURIComponent(id)}`),
    edits: (id: string) => get<EditsTexts>(`/api/edits/${encodeURIComponent(id)}`),
  };
}

const unreached = "The companion cannot be reached just now.";

/** What the user asks the companion to write. It writes nothing when the file is not what the user has seen. */
export type FileRequests = ReturnType<typeof createFileRequests>;

type Writing = Extract<PageMessage, { readonly type: "write" }>["what"];

export function createFileRequests(send: (message: PageMessage) => boolean) {
  /** By the id of what they are about. */
  const waiting = new Map<string, (trouble: string | undefined) => void>();

  /**
   * Writes recovered edits to their file, takes an accepted change or all of a turn out of it, or puts the user's version
   * of a change into it again.
   * @param id of what it is about
   * @param onDisk the file as it is shown
   * @throws Error with a sentence for the user
   */
  async function write(what: Writing, id: string, onDisk?: FileText): Promise<void> {
    const stamp = onDisk?.kind === "text" ? { stamp: onDisk.stamp } : {};
    const trouble = await new Promise<string | undefined>((resolve) => {
      waiting.set(id, resolve);
      if (!send({ type: "write", what, id, ...stamp })) resolve(unreached);
    });
    waiting.delete(id);
    if (trouble !== undefined) throw new Error(trouble);
  }

  return {
    write,
    /** The companion's answer to any of them. */
    answered: (id: string, trouble: string | undefined) => waiting.get(id)?.(trouble),
    /** No answer comes any more. */
    disconnected: () => {
      for (const resolve of waiting.values()) resolve(unreached);
    },
  };
}

/** The message of an error. */
export function explainError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
