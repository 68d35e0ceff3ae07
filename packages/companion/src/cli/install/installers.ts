import { hookedAgents } from "../../agents/agents.ts";
import { editors } from "../../editors/editors.ts";
import type { MakePlan } from "../../editors/set-up/plan.ts";

/** What can be set up: the editors whose records say how, and the agents' CLIs. */
export const installers: readonly Installer[] = [
  ...editors.flatMap(({ name, displayName, install }): readonly Installer[] =>
    install ? [{ name, displayName, kind: "editor", programs: install.programs, load: install.load }] : [],
  ),
  ...hookedAgents.map(
    (agent): Installer => ({
      name: agent.name,
      displayName: agent.displayName,
      kind: agent.contextOnly ? "command" : "agent",
      programs: [agent.command],
      load: async () => (await import("./agent-settings.ts")).planAgent(agent),
    }),
  ),
];

/** An editor, or an agent's CLI, as `install` offers it. */
export interface Installer {
  /** As typed after `ide-companion install`. */
  readonly name: string;
  readonly displayName: string;
  /**
   * What is offered without a question: an agent's settings are touched on request only. An agent of kind `command` has
   * no settings for it: it is not offered, and by name it is said what to type.
   */
  readonly kind: "editor" | "agent" | "command";
  /** The names that its program has, the usual one first. */
  readonly programs: readonly string[];
  /** Loaded when it is wanted. */
  load(): Promise<MakePlan>;
}
