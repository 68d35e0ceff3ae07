import type { Check } from "../check.ts";
import {
  editorPid,
  fileContent,
  geminiFile,
  ideInfo,
  lockName,
  lockPid,
  olderFiles,
  qwenFile,
  qwenLock,
  stdioOffer,
} from "./files.ts";
import { foldersChange, rewrittenWhole } from "./folders.ts";
import {
  leadsHere,
  ownWorkspace,
  terminalSecrets,
  terminalVariables,
  twoCompanions,
  workspacePath,
} from "./leads.ts";

export const discoveryChecks: readonly Check[] = [
  geminiFile,
  qwenFile,
  qwenLock,
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
