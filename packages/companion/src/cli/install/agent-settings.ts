import { z } from "zod";
import type { AgentWithCli } from "../../agents/agent.ts";
import { agentHooks } from "../../agents/agent-hooks.ts";
import { type AgentHooks, toHookEntries } from "../../agents/hooks.ts";
import type { Edit } from "../../editors/set-up/edits/edit.ts";
import { hasValue } from "../../editors/set-up/edits/json-values.ts";
import type { Machine, MakePlan } from "../../editors/set-up/plan.ts";
import { readText } from "../../editors/set-up/text-file.ts";

/** Switches IDE mode on in the settings of an agent's CLI, and lets it call our hooks. */
export const planAgent =
  (agent: AgentWithCli): MakePlan =>
  async (machine) => {
    const { host, hooks: areHooksWanted = false, find } = machine;
    const settings = (await agent.loadCli()).ideSettings?.(host);
    // The hooks call us by name.
    const isFound = find("ide-companion") !== undefined;
    const hooks = areHooksWanted && isFound ? agentHooks[agent.name] : undefined;
    const edits = new Map<string, Edit>();
    if (settings) {
      const text = readText(settings.path) ?? "";
      const values = settings.values
        .filter(({ key, unlessSet }) => !(unlessSet && hasValue(text, key)))
        .map(({ key, value }) => ({ key, value }));
      edits.set(settings.path, { kind: "json", values });
    }
    if (hooks) {
      const path = hooks.settingsPath(host);
      edits.set(path, withHooks(edits.get(path), agent.name, hooks, machine));
    }
    const connect =
      settings || agent.connectCommand === ""
        ? `The next ${agent.command} that you start connects to your editor; ide-companion doctor ${agent.name} says whether it would.`
        : `Type ${agent.connectCommand} in ${agent.displayName}, in every run: it then asks your editor.`;
    return {
      parts: [...edits].map(([path, edit]) => ({ kind: "file", path, edit })),
      next: [connect, ...(settings?.next ?? []), ...describeHooks(agent, hooks, areHooksWanted && !isFound)],
    };
  };

function withHooks(edit: Edit | undefined, agent: string, hooks: AgentHooks, { platform }: Machine): Edit {
  const entries = toHookEntries(agent, hooks, platform);
  if (hooks.toOwnFile) return { kind: "whole", text: hooks.toOwnFile(entries) };
  return {
    kind: "json",
    values: edit?.kind === "json" ? edit.values : [],
    entries: entries.map(({ event, entry }) => ({ key: ["hooks", event], value: z.json().parse(entry) })),
  };
}

function describeHooks(
  agent: AgentWithCli,
  hooks: AgentHooks | undefined,
  isMissing: boolean,
): readonly string[] {
  if (isMissing)
    return [
      "There are no hooks: they call ide-companion by its name, and it is not in your PATH. npm install --global ide-companion",
    ];
  if (hooks === undefined) return [];
  const record = `What ${agent.displayName} writes without asking is recorded from now on: ide-companion changes shows it.`;
  return [record, ...(hooks.next === undefined ? [] : [hooks.next])];
}
