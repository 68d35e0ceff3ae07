export { type AgentName, agentNames, agents } from "./agents.ts";
export { type Check, checkOf, checks } from "./checks/index.ts";
export {
  type Level,
  type Requirement,
  requirementOf,
  requirements,
  rules,
  type Source,
} from "./requirements/index.ts";
export { createLimits, type Limits } from "./run/limits.ts";
export type { Result, Status } from "./run/result.ts";
export type { FamilySubject as Subject } from "./run/run-check.ts";
export { runChecks } from "./run/run-checks.ts";
