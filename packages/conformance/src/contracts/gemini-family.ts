import { agentNames, agents } from "../agents.ts";
import { checks } from "../checks/index.ts";
import { openSubject } from "../cli/subject.ts";
import { requirementOf, rules } from "../requirements/index.ts";
import { runChecks } from "../run/run-checks.ts";
import { agentsOf } from "../target/target.ts";
import type { Contract } from "./contract.ts";

/** MCP over HTTP, with discovery files in the temporary folder. */
export const geminiFamily: Contract = {
  agents: agentNames,
  rules,
  checks,
  whomOf(requirement) {
    const { agent } = requirementOf(requirement);
    return agent && agents[agent].title;
  },
  async open(args, cleanup) {
    const subject = await openSubject(args, cleanup);
    return {
      name: subject.target.name,
      port: subject.target.port,
      agents: agentsOf(subject.target).map((agent) => agents[agent].title),
      run: (chosen, options) =>
        runChecks(
          checks.filter(({ id }) => chosen.has(id)),
          subject,
          options,
        ),
    };
  },
};
