import type { Check } from "../check.ts";
import { browserRefused, foreignHost, noCors, ownHosts } from "./browser.ts";
import { appearsWhole, linkedFolder, openFolder } from "./file-races.ts";
import { fileMode, folderMode } from "./files.ts";
import { bodyLimit, loopbackOnly, pathTricks, slowSenders } from "./network.ts";
import { helpfulRefusal, longToken, newToken, quietRefusal, refusedByHead, tokenAlways } from "./token.ts";

export const securityChecks: readonly Check[] = [
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
