import type { Check } from "../check.ts";
import { closeDiffJson, closeDiffText, closedEdits, openDiffAnswer } from "./closing.ts";
import {
  acceptance,
  closedView,
  emptyText,
  exactAccepted,
  exactClosed,
  notWritten,
  rejection,
} from "./decisions.ts";
import {
  exactPath,
  once,
  ownSession,
  resume,
  streamDown,
  suppressed,
  unsuppressed,
} from "./notifications.ts";
import { acceptDiff, foreignAccept, foreignClose, rejectDiff, sameFile, secondProposal } from "./sessions.ts";
import { anyFile, newFile, oddTargets } from "./targets.ts";
import { closeDiffTool, closeUnknown, impossibleCall, openDiffTool } from "./tools.ts";
import { killedCli, viewCloses, viewOpens } from "./view.ts";

export const diffsChecks: readonly Check[] = [
  // It mostly waits, so it begins first.
  killedCli,
  openDiffTool,
  closeDiffTool,
  openDiffAnswer,
  viewOpens,
  impossibleCall,
  closeDiffText,
  closedEdits,
  closeDiffJson,
  closeUnknown,
  acceptance,
  rejection,
  closedView,
  exactPath,
  suppressed,
  unsuppressed,
  once,
  ownSession,
  foreignClose,
  sameFile,
  secondProposal,
  streamDown,
  resume,
  notWritten,
  exactClosed,
  exactAccepted,
  emptyText,
  viewCloses,
  newFile,
  oddTargets,
  anyFile,
  acceptDiff,
  rejectDiff,
  foreignAccept,
];
