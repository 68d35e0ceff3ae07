import { agents } from "../../../agents/agents.ts";
import { orList } from "../../terminal/or-list.ts";

export const commands = orList(agents.map(({ command }) => command))
  .map(({ value }) => value)
  .join("");

/** What every editor's user does next. */
export const firstSteps = (editor: string): readonly string[] => [
  `Start ${editor} with a file, and ${commands} in the same project: ide-companion status then says connected.`,
];
