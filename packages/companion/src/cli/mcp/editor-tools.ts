import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { GetDiagnosticsInput, OpenDiffInput, OpenFileInput } from "../../client/companion-client.ts";
import { checkFilePath } from "../../core/changes/review.ts";
import type { Host } from "../../system/host.ts";
import { writeAccepted } from "../diff/written-text.ts";
import type { EditorLink } from "./editor-link.ts";

export interface ToolParts {
  readonly link: EditorLink;
  readonly host: Host;
  /** Absolute; what relative paths start from. */
  readonly folder: string;
}

/** What a tool says, as data; `note` is a sentence for the model. */
type Answer = Readonly<Record<string, unknown>>;

interface EditorTool<Input> {
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  /** It changes nothing anywhere. */
  readonly readOnly: boolean;
  /**
   * @param signal aborted when the agent does not want it any more
   * @throws Error with a sentence for the model
   */
  run(input: Input, parts: ToolParts, signal: AbortSignal): Promise<Answer>;
}

const tool = <Input>(parts: EditorTool<Input>): EditorTool<unknown> => parts;

/** Everything that an agent can do with the user's editor, by name. */
export const editorTools: Readonly<Record<string, EditorTool<unknown>>> = {
  getOpenFiles: tool({
    title: "Open files",
    description: "The files that the user has open in the editor, the one looked at last first.",
    input: z.object({}),
    readOnly: true,
    async run(_, { link }) {
      await link.connected();
      const files = link.context.workspaceState?.openFiles ?? [];
      return {
        files: files.map(({ path: filePath, isActive = false, cursor }) => ({ filePath, isActive, cursor })),
      };
    },
  }),
  getSelection: tool({
    title: "Selection",
    description: "The file that the user is looking at, where the cursor is in it, and what is selected.",
    input: z.object({}),
    readOnly: true,
    async run(_, { link }) {
      await link.connected();
      const active = link.context.workspaceState?.openFiles?.find(({ isActive }) => isActive);
      if (!active) return { note: "The user is looking at no file." };
      const { path: filePath, cursor, selectedText } = active;
      return { filePath, cursor, selectedText: selectedText ?? "" };
    },
  }),
  getDiagnostics: tool({
    title: "Diagnostics",
    description:
      "What compilers, linters and language servers in the user's editor have found, errors first.",
    input: GetDiagnosticsInput,
    readOnly: true,
    async run({ filePath }, { link, folder }) {
      const client = await link.connected();
      return client.getDiagnostics(
        filePath === undefined ? {} : { filePath: path.resolve(folder, filePath) },
      );
    },
  }),
  openFile: tool({
    title: "Show a file",
    description: "Shows a file in the user's editor, at a line when one is named.",
    input: OpenFileInput,
    readOnly: true,
    async run({ filePath, ...place }, { link, folder }) {
      const client = await link.connected();
      const shown = path.resolve(folder, filePath);
      await client.openFile({ filePath: shown, ...place });
      return { filePath: shown };
    },
  }),
  openDiff: tool({
    title: "Let the user review a change",
    description:
      "Shows the proposed content of a file next to its present one in the user's editor, where the user may edit it, and " +
      "waits for the decision. Returns the outcome, the text that was accepted, the user's edits included, and the user's " +
      "comments on lines of the change.",
    input: OpenDiffInput.extend({
      write: z
        .boolean()
        .optional()
        .describe("Write the accepted text to the file. Otherwise nothing is written, and you have to."),
    }),
    readOnly: false,
    async run({ filePath, newContent, write = false }, { link, folder, host }, signal) {
      const file = path.resolve(folder, filePath);
      checkFilePath(file, { roots: [folder] });
      const before = await readFile(file).catch(() => undefined); // a new file, or writing tells
      const client = await link.connected();
      const outcome = await client.openDiff(file, newContent, { signal });
      if (outcome.kind === "closed") return { outcome: "closed", note: `${file} was not changed.` };
      const comments = outcome.comments && { comments: outcome.comments };
      if (outcome.kind === "rejected") {
        return { outcome: "rejected", note: `${file} was not changed.`, ...comments };
      }
      const { content, before: decidedFor } = outcome;
      if (write) await writeAccepted({ file, before, decidedFor, content, host });
      const isEdited = content !== newContent;
      return {
        outcome: "accepted",
        edited: isEdited,
        written: write,
        note: write
          ? `${file} has been written.`
          : `${file} has not been written: write exactly this content.`,
        ...((isEdited || !write) && { content }),
        ...comments,
      };
    },
  }),
  closeDiff: tool({
    title: "Take a change back",
    description: "Withdraws a change that waits for the user's decision. Returns its text as it stood.",
    input: z.object({ filePath: z.string().describe("Path of the file.") }),
    readOnly: false,
    async run({ filePath }, { link, folder }) {
      const client = await link.connected();
      return {
        content: await client.closeDiff(path.resolve(folder, filePath), { suppressNotification: true }),
      };
    },
  }),
};
