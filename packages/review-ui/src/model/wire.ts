/** What goes over the wire between the page and the frontend: types only. */
export type { FileText } from "../../../companion/src/files/file-text.ts";
export type {
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
} from "../../../companion/src/frontends/review/protocol.ts";
