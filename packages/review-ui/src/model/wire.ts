/** What goes over the wire between the page and the door: types only. */
export type {
  DoorMessage,
  EditsSummary,
  EditsTexts,
  FileText,
  HistoryTexts,
  JournalEntry,
  PageMessage,
  ProposalSummary,
  ProposalTexts,
  SearchHit,
  SessionSummary,
  TreeEntry,
} from "../../../companion/src/doors/review/protocol.ts";
