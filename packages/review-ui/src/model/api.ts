import type { Comment } from "../../../companion/src/core/editor.ts";
import type { FileText } from "../../../companion/src/files/file-text.ts";
import type {
  EditsTexts,
  HistoryTexts,
  ProposalTexts,
  SearchHit,
  TreeEntry,
} from "../../../companion/src/frontends/review/protocol.ts";
import type { Wording } from "../language/language.ts";

export type { Rewriting } from "../../../companion/src/frontends/review/earlier-decisions.ts";
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
export interface Api {
  /** @param path absolute; without it the roots */
  tree(path?: string): Promise<readonly TreeEntry[]>;
  search(text: string, signal: AbortSignal): Promise<readonly SearchHit[]>;
  file(path: string): Promise<FileText>;
  proposal(id: string): Promise<ProposalTexts>;
  edits(id: string): Promise<EditsTexts>;
  history(id: string): Promise<HistoryTexts>;
}

/** @param onLocked called when this browser has lost access */
export function createApi(onLocked: () => void, { t, translate }: Pick<Wording, "t" | "translate">): Api {
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
    tree: (path) => get(path === undefined ? "/api/tree" : `/api/tree?path=${encodeURIComponent(path)}`),
    search: (text, signal) => get(`/api/search?q=${encodeURIComponent(text)}`, signal),
    file: (path) => get(`/api/file?path=${encodeURIComponent(path)}`),
    proposal: (id) => get(`/api/proposals/${encodeURIComponent(id)}`),
    history: (id) => get(`/api/history/${encodeURIComponent(id)}`),
    edits: (id) => get(`/api/edits/${encodeURIComponent(id)}`),
  };
}

/** The message of an error. */
export function explainError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
