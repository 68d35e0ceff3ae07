import type { Comment } from "../../../companion/src/core/editor.ts";
import type { Turn } from "../../../companion/src/core/turns.ts";
import type { ReviewMode } from "../../../companion/src/core/written/review-mode.ts";
import type { FileText } from "../../../companion/src/files/file-text.ts";
import type { LineChange } from "../../../companion/src/files/line-diff.ts";
import type { Listed } from "../../../companion/src/frontends/protocol/lists.ts";
import type {
  EditsTexts,
  HistoryTexts,
  ProposalTexts,
  SearchHit,
  TreeEntry,
  WrittenTexts,
} from "../../../companion/src/frontends/review/protocol.ts";
import type { Wording } from "../language/language.ts";

/** Recovered edits, comments that no agent has received, decisions, and what agents have written, as listed. */
export type EditsSummary = Listed<"edits">;
export type WaitingComments = Listed<"comments">;
export type HistoryEntry = Listed<"history">;
export type WrittenFile = Listed<"written">;
export type {
  AgentChoice,
  AnswerTo,
  DraftNews,
  EditsTexts,
  FrontendMessage,
  HistoryTexts,
  PageMessage,
  ProposalSummary,
  ProposalTexts,
  SearchHit,
  TreeEntry,
  WrittenTexts,
} from "../../../companion/src/frontends/review/protocol.ts";
export type { Comment, FileText, LineChange, ReviewMode, Turn };

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
    written: (id: string) => get<WrittenTexts>(`/api/written/${encodeURIComponent(id)}`),
    /** Where agents have written a file. */
    marks: (path: string) => get<readonly LineChange[]>(`/api/marks?path=${encodeURIComponent(path)}`),
    edits: (id: string) => get<EditsTexts>(`/api/edits/${encodeURIComponent(id)}`),
  };
}

/** The message of an error. */
export function explainError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
