export {
  type Agent,
  type AgentName,
  agentNames,
  agents,
  type FileKind,
  type FileTemplate,
} from "./agents.ts";
export type { CheckHead as Check, Lane, Need } from "./contracts/check.ts";
export {
  checkHeads as checks,
  checkOf,
  type FamilySubject as Subject,
  requirementOf,
  requirements,
  rules,
  runChecks,
} from "./contracts/gemini-family/contract.ts";
export type { DiscoveryFile } from "./contracts/gemini-family/target/discovery-file.ts";
export type { StartedCompanion, Target } from "./contracts/gemini-family/target/target.ts";
export type { Level, Requirement, RuleBook, Source } from "./contracts/requirement.ts";
export type { Progress } from "./run/lanes.ts";
export type { Result, Status } from "./run/result.ts";
export { createLimits, type Isolated, type Limits, type Subject as SubjectOf } from "./run/subject.ts";
export type { Perform } from "./target/editor-hook.ts";
export type { Sandbox, SystemFolders } from "./target/folders.ts";
export type { Started, StartOptions } from "./target/process.ts";
export type { Json } from "./wire/json-rpc.ts";
