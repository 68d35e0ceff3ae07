import type { Check } from "../check.ts";
import {
  editorPid,
  fileContent,
  ideInfo,
  lockName,
  lockPid,
  olderFiles,
  requiredFiles,
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
