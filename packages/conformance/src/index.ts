export { type AgentName, agentNames, agents } from "./agents.ts";
export { checkOf, checks } from "./contracts/gemini-family/checks/index.ts";
export type { Check } from "./contracts/gemini-family/checks/means.ts";
export {
  type FamilySubject as Subject,
  requirementOf,
  requirements,
  rules,
  runChecks,
} from "./contracts/gemini-family/contract.ts";
export type { Level, Requirement, Source } from "./contracts/requirement.ts";
export type { Result, Status } from "./run/result.ts";
export { createLimits, type Limits } from "./run/subject.ts";
