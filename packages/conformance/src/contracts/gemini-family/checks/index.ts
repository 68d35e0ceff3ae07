import {
  cursor,
  debounce,
  longSelection,
  selectedText,
  staleSelection,
  starvation,
  utf16,
  wholeCharacters,
} from "./context/cursor.ts";
import {
  closedFile,
  deletedFile,
  everyCli,
  focusedAlone,
  focusedFile,
  focusTimes,
  tenFiles,
  unixTimes,
} from "./context/focus.ts";
import { contextAtOnce, contextShape, realFiles, virtualFiles } from "./context/shape.ts";
import { closeDiffJson, closeDiffText, closedEdits, openDiffAnswer } from "./diffs/closing.ts";
import {
  acceptance,
  closedView,
  emptyText,
  exactAccepted,
  exactClosed,
  notWritten,
  rejection,
} from "./diffs/decisions.ts";
import {
  exactPath,
  once,
  ownSession,
  resume,
  streamDown,
  suppressed,
  unsuppressed,
} from "./diffs/notifications.ts";
import {
  acceptDiff,
  foreignAccept,
  foreignClose,
  rejectDiff,
  sameFile,
  secondProposal,
} from "./diffs/sessions.ts";
import { closeDiffTool, closeUnknown, impossibleCall, openDiffTool } from "./diffs/tools.ts";
import { anyFile, killedCli, newFile, oddTargets, viewCloses, viewOpens } from "./diffs/view.ts";
import {
  editorPid,
  fileContent,
  foldersChange,
  ideInfo,
  lockName,
  lockPid,
  olderFiles,
  requiredFiles,
  rewrittenWhole,
  stdioOffer,
} from "./discovery/files.ts";
import {
  leadsHere,
  ownWorkspace,
  terminalSecrets,
  terminalVariables,
  twoCompanions,
  workspacePath,
} from "./discovery/leads.ts";
import { filesRemoved, hangUp, livingFiles, serverFirst, serverStops, sweep } from "./lifecycle.ts";
import type { Check } from "./means.ts";
import { appearsWhole, fileMode, folderMode, linkedFolder, openFolder } from "./security/files.ts";
import {
  browserRefused,
  foreignHost,
  helpfulRefusal,
  longToken,
  newToken,
  noCors,
  ownHosts,
  quietRefusal,
  refusedByHead,
  tokenAlways,
} from "./security/guard.ts";
import { bodyLimit, loopbackOnly, pathTricks, slowSenders } from "./security/network.ts";
import {
  endpoint,
  freePort,
  initialize,
  initialized,
  laterProtocol,
  protocolVersion,
  stream,
  unknownVersion,
  versionHeader,
} from "./transport/handshake.ts";
import { answers, largeRequest, malformed, ping, unknownMethod } from "./transport/messages.ts";
import {
  comingAndGoing,
  keepAlive,
  missingSession,
  severalClis,
  streamReopens,
  streamStays,
  unknownSession,
} from "./transport/sessions.ts";
import {
  eventIds,
  eventsContext,
  eventsEndpoint,
  eventsOutcome,
  health,
  oneStream,
} from "./transport/streams.ts";

const contextChecks: readonly Check[] = [
  contextShape,
  contextAtOnce,
  focusedFile,
  closedFile,
  cursor,
  utf16,
  selectedText,
  staleSelection,
  realFiles,
  virtualFiles,
  deletedFile,
  focusTimes,
  unixTimes,
  focusedAlone,
  tenFiles,
  longSelection,
  wholeCharacters,
  debounce,
  starvation,
  everyCli,
];

const diffsChecks: readonly Check[] = [
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

const discoveryChecks: readonly Check[] = [
  ...requiredFiles,
  fileContent,
  ideInfo,
  leadsHere,
  workspacePath,
  ownWorkspace,
  editorPid,
  lockPid,
  lockName,
  terminalVariables,
  terminalSecrets,
  foldersChange,
  rewrittenWhole,
  olderFiles,
  stdioOffer,
  twoCompanions,
];

const lifecycleChecks: readonly Check[] = [
  serverFirst,
  filesRemoved,
  serverStops,
  hangUp,
  sweep,
  livingFiles,
];

const securityChecks: readonly Check[] = [
  tokenAlways,
  helpfulRefusal,
  browserRefused,
  foreignHost,
  ownHosts,
  noCors,
  loopbackOnly,
  pathTricks,
  bodyLimit,
  slowSenders,
  refusedByHead,
  fileMode,
  folderMode,
  appearsWhole,
  linkedFolder,
  openFolder,
  longToken,
  newToken,
  quietRefusal,
];

const transportChecks: readonly Check[] = [
  // They only listen, so they begin first.
  streamStays,
  keepAlive,
  initialize,
  endpoint,
  freePort,
  answers,
  ping,
  unknownMethod,
  malformed,
  initialized,
  stream,
  protocolVersion,
  unknownVersion,
  versionHeader,
  unknownSession,
  missingSession,
  severalClis,
  oneStream,
  streamReopens,
  comingAndGoing,
  largeRequest,
  eventIds,
  eventsEndpoint,
  eventsContext,
  eventsOutcome,
  health,
  laterProtocol,
];

/** Every check, in the order of the requirements. */
export const checks: readonly Check[] = [
  ...transportChecks,
  ...securityChecks,
  ...discoveryChecks,
  ...contextChecks,
  ...diffsChecks,
  ...lifecycleChecks,
];
