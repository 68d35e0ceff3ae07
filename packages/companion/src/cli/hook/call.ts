import path from "node:path";
import type { AgentHooks } from "../../agents/hooks.ts";
import { hashOf } from "../../files/text-hash.ts";
import { isObject, type JsonObject } from "../../system/json.ts";

/** What a CLI has called us for. */
export interface Call {
  /** By the CLI's name. */
  readonly event: string;
  readonly meaning: AgentHooks["events"][string];
  readonly session: string;
  readonly turn?: string;
  /** Absolute path. */
  readonly folder: string;
  readonly prompt?: string;
  /** Of the tool. */
  readonly input: JsonObject;
  /** As the agent wrote them. */
  readonly paths: readonly string[];
  /** In which the agent asks or does not, by the CLI's own name. */
  readonly mode?: string;
  /** Names a shell command within its session. */
  readonly command?: string;
  /** What it hears, the user's agent does not. */
  readonly isSubagent: boolean;
}

/** @returns undefined where it is nothing to us */
export function parseCall(hooks: AgentHooks, value: unknown, named: string | undefined): Call | undefined {
  if (!isObject(value)) return undefined;
  const { fields, events, tools, shell } = hooks;
  const text = (field = "") => (typeof value[field] === "string" ? value[field] : undefined);
  const event = named ?? text("hook_event_name") ?? "";
  const meaning = events[event];
  const [session, turn, prompt] = [text(fields.session), text(fields.turn), text(fields.prompt)];
  if (meaning === undefined || session === undefined) return undefined;
  const said = value[fields.asked ?? fields.input] ?? value[fields.input];
  const input = isObject(said) ? said : {};
  const tool = text(fields.tool) ?? "";
  const paths = tools[tool]?.(input) ?? [];
  // Where calls have no names, the same words are the same command.
  const command =
    tool === shell && paths.length === 0 ? (text(fields.call) ?? hashOf(JSON.stringify(input))) : undefined;
  const [folder, mode] = [text("cwd") ?? process.cwd(), text("permission_mode")];
  return {
    ...{ event, meaning, session, folder, input, paths, isSubagent: "agent_id" in value },
    ...(turn !== undefined && { turn }),
    ...(prompt && { prompt }),
    ...(command !== undefined && { command }),
    ...(mode !== undefined && { mode }),
  };
}

/**
 * By what an answer is kept for the question about a call, until its CLI asks it: the names of its files, because the
 * question may name them from another folder.
 */
export const toPermit = (agent: string, { session, paths }: Call): string =>
  JSON.stringify([agent, session, ...paths.map((name) => path.basename(name))]);
