/** What goes over the wire between the page and the frontend: types only. */
export type {
  EditsSummary,
  EditsTexts,
  FileText,
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
