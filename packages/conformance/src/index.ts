export { type AgentName, agentNames, agents } from "./agents.ts";
export { checkOf, checks } from "./contracts/gemini-family/checks/index.ts";
export type { Check } from "./contracts/gemini-family/checks/means.ts";
export { type FamilySubject as Subject, runChecks } from "./contracts/gemini-family/contract.ts";
export {
  type Level,
  type Requirement,
  requirementOf,
  requirements,
  rules,
  type Source,
} from "./contracts/gemini-family/requirements/index.ts";
export type { Result, Status } from "./run/result.ts";
export { createLimits, type Limits } from "./run/subject.ts";
