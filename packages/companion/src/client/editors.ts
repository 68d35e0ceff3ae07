import path from "node:path";
import type { Agent } from "../agents/agent.ts";
import { geminiFamilyAgents } from "../agents/gemini-family/agents.ts";
import type { IdeInfo } from "../agents/gemini-family/contract/discovery.ts";
import type { EditorRecord } from "../editors/editor-record.ts";
import { editors, editorsBySign } from "../editors/editors.ts";
import type { ProcessInfo } from "../system/processes/process-table.ts";

/** The agents whose protocol this library speaks. */
export const agents: readonly Agent[] = geminiFamilyAgents;

/** An editor that was recognised, and by what. */
export interface DetectedEditor {
  readonly ide: IdeInfo;
  /** For people: `TERM_PROGRAM=vscode`. */
  readonly sign: string;
}

/**
 * The editor that a terminal is in, whether an agent CLI would know it or not: by what its variables say, or else by
 * the nearest program above it that is an editor.
 * @param lineage the processes above, nearest first
 */
export function detectEditor(
  env: Readonly<Record<string, string | undefined>>,
  lineage: readonly ProcessInfo[],
): DetectedEditor | undefined {
  for (const editor of editorsBySign) {
    const sign = editor.sign?.(env);
    if (sign !== undefined) return { ide: findProduct(editor, lineage) ?? toIdeInfo(editor), sign };
  }
  for (const process of lineage) {
    const ide = toEditor(process);
    if (ide) return { ide: toIdeInfo(ide), sign: `process ${process.pid} is ${process.name}` };
  }
  return undefined;
}

function toEditor({ name, command }: ProcessInfo): IdeInfo | undefined {
  const program = path.win32
    .basename(name)
    .replace(/\.exe$/i, "")
    .toLowerCase();
  const byName = editors.find(({ processes }) => processes?.test(program));
  if (byName) return byName;
  const byCommand = editors.find(({ inCommand }) => inCommand?.test(command));
  return byCommand?.findProduct ? byCommand.findProduct(command) : byCommand;
}

const findProduct = (editor: EditorRecord, lineage: readonly ProcessInfo[]) =>
  lineage.map(({ command }) => editor.findProduct?.(command)).find((ide) => ide !== undefined);

/** What stands for an editor's name and nothing else. */
const toIdeInfo = ({ name, displayName }: IdeInfo): IdeInfo => ({ name, displayName });
