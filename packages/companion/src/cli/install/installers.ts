import { agents } from "../../agents/agents.ts";
import { editors } from "../../editors/editors.ts";
import type { Installer } from "./installer.ts";

/** What can be set up: the editors whose records say how, and the agents' CLIs. */
export const installers: readonly Installer[] = [
  ...editors.flatMap(({ name, displayName, install }): readonly Installer[] =>
    install ? [{ name, displayName, kind: "editor", programs: install.programs, load: install.load }] : [],
  ),
  ...agents.map(
    (agent): Installer => ({
      name: agent.name,
      displayName: agent.displayName,
      kind: agent.contextOnly ? "command" : "agent",
      programs: [agent.command],
      load: async () => (await import("./agent-settings.ts")).planAgent(agent),
    }),
  ),
];
