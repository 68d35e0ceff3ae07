import type { Contract } from "../contract.ts";
import { checks } from "./checks/index.ts";
import { rules } from "./requirements/index.ts";
import { runClaudeChecks } from "./run.ts";
import { openClaudeSubject } from "./subject.ts";

/** JSON-RPC over a WebSocket, with a lock file in the CLI's own folder. */
export const claudeCode: Contract = {
  agents: ["claude-code"],
  rules,
  checks,
  whomOf: () => undefined,
  async open(args, cleanup) {
    const subject = await openClaudeSubject(args, cleanup);
    return {
      name: subject.target.name,
      port: subject.target.port,
      agents: ["Claude Code"],
      run: (chosen, options) =>
        runClaudeChecks(
          checks.filter(({ id }) => chosen.has(id)),
          subject,
          options,
        ),
    };
  },
};
