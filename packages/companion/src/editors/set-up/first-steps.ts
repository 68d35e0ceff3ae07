import type { Machine } from "./plan.ts";

/** What every editor's user does next. */
export const firstSteps = (editor: string, { agentCommands }: Machine): readonly string[] => [
  `Start ${editor} with a file, and ${agentCommands} in the same project: ide-companion status then says connected.`,
];
