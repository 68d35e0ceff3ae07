import type { AgentWithCli } from "../../agents/agent.ts";
import { hasValue } from "../../editors/set-up/edits/json-values.ts";
import type { MakePlan } from "../../editors/set-up/plan.ts";
import { readText } from "../../editors/set-up/text-file.ts";

/** Switches IDE mode on in the settings of an agent's CLI. */
export const planAgent =
  (agent: AgentWithCli): MakePlan =>
  async ({ host }) => {
    const settings = (await agent.loadCli()).ideSettings?.(host);
    if (!settings) {
      const command = `Type ${agent.connectCommand} in ${agent.displayName}, in every run: it then asks your editor.`;
      return { parts: [], next: [command] };
    }
    const { path, values, next = [] } = settings;
    const text = readText(path) ?? "";
    const wanted = values
      .filter(({ key, unlessSet }) => !(unlessSet && hasValue(text, key)))
      .map(({ key, value }) => ({ key, value }));
    return {
      parts: [{ kind: "file", path, edit: { kind: "json", values: wanted } }],
      next: [
        `The next ${agent.command} that you start connects to your editor; ide-companion doctor ${agent.name} says whether it would.`,
        ...next,
      ],
    };
  };
