import { z } from "zod";
import { reviewModes } from "../../core/written/review-mode.ts";
import { commentMessages, sentComments, shownChange } from "./comment-messages.ts";
import { listMessages, saidFacts } from "./list-messages.ts";
import { originalFacts, shownFacts } from "./original.ts";
import { Lines, writtenMessages } from "./written-messages.ts";

/** Grows when a plugin that was written for an earlier one could not work any more. */
export const protocolVersion = 1;

const position = { line: z.int().min(1), character: z.int().min(1) };

const range = {
  start: z.object(position),
  end: z.object(position).describe("Of the first character behind it."),
};

const PluginFile = z.object({
  path: z.string().describe("Absolute."),
  focusedAt: z.number().describe("When it was last focused, in milliseconds since 1970."),
  cursor: z
    .object(position)
    .exactOptional()
    .describe(
      "1-based line and character; a character is a UTF-16 code unit. Needed of the active file only.",
    ),
  selectedText: z
    .string()
    .exactOptional()
    .describe("The selection; more than 16 384 UTF-16 units are cut off."),
  selection: z.object(range).exactOptional().describe("Where all of the selection is, cut off or not."),
});

const diffId = { id: z.string().describe("As `companion/openDiff` gave it.") };

const SessionView = z.object({
  agent: z.string().describe("For people: `Gemini CLI`, or `Gemini CLI 2` for the second at once."),
  connectedAt: z.number().describe("In milliseconds since 1970."),
});

const DiffView = z.object({
  id: z.string(),
  agent: z.string(),
  filePath: z.string(),
  openedAt: z.number().describe("In milliseconds since 1970."),
});

const PluginDiagnostic = z.object({
  path: z.string().describe("Absolute."),
  ...position,
  endLine: z.int().min(1).exactOptional(),
  endCharacter: z.int().min(1).exactOptional().describe("Of the first character behind it."),
  severity: z.enum(["error", "warning", "info", "hint"]),
  message: z.string(),
  source: z.string().exactOptional().describe("What has found it: `typescript`, `eslint`."),
  code: z.string().or(z.number()).exactOptional().describe("The number or name that it has there."),
});

const PluginMention = z.object({
  path: z.string().describe("Absolute."),
  lines: Lines.exactOptional().describe("Absent for the whole file."),
});

const NoAnswer = z.null();
const Text = z.object({
  content: z.string().describe("The proposed text as it stands, the user's edits included."),
});

const DecisionAnswer = z.object({
  taken: z.boolean().describe("Whether the decision counts. If not, the diff stays open."),
  code: z.string().exactOptional().describe("What `reason` or `notice` says, for a program: `clash`."),
  reason: z.string().exactOptional().describe("Why not: a sentence for the user."),
  notice: z.string().exactOptional().describe("What else to say of a decision that counts: a sentence."),
});

/**
 * What a plugin and the frontend say to each other besides LSP's own messages; the single source of both and of
 * the documentation.
 * @see docs/reference/protocol.md
 */
export const messages = {
  context: {
    method: "companion/context",
    params: z.object({
      files: z.array(PluginFile).describe("Every open file, in any order."),
      activePath: z
        .string()
        .exactOptional()
        .describe("Path of the file that has the focus; absent when none of `files` has it."),
    }),
  },
  openDiff: {
    method: "companion/openDiff",
    params: z.object({
      id: z.string().describe("Names the diff from now on."),
      agent: z.string().describe("Who proposes, for people: `Gemini CLI`."),
      filePath: z.string().describe("Absolute, exactly as the agent sent it. The file may not exist yet."),
      label: z.string().describe("The file for people: its path relative to its workspace folder."),
      newContent: z.string().describe("The whole proposed text."),
      original: z
        .string()
        .nullable()
        .describe("The text on disk to compare it with; null for a new file. Line ends as the proposal's."),
      readOnlyReason: z
        .string()
        .exactOptional()
        .describe(
          "Why the user's edits cannot reach the agent: show the proposal read-only, with this sentence.",
        ),
      ...originalFacts,
      hunks: shownFacts.hunks,
    }),
    answer: NoAnswer,
  },
  closeDiff: {
    method: "companion/closeDiff",
    params: z.object({
      ...diffId,
      reason: z
        .enum(["agent", "replaced", "session-ended", "shutdown", "decided"])
        .describe("`agent`: in its terminal; `replaced`: a newer one follows; `decided`: on the page."),
      words: z.string().describe("The same for people: `Gemini CLI has taken this back`."),
    }),
    answer: Text,
  },
  readDiff: { method: "companion/readDiff", params: z.object(diffId), answer: Text },
  updateDiff: {
    method: "companion/updateDiff",
    params: z.object({
      ...diffId,
      newContent: z
        .string()
        .describe("The proposed text without the user's edits, with what has changed on disk."),
      original: z.string().nullable().describe("The text on disk as it is now; null when there is none."),
      ...originalFacts,
      seen: z.string().describe("Change nothing when the proposed side holds another text by now."),
      content: z.string().describe("What the proposed side is to hold."),
      hunks: shownFacts.hunks.describe("Of `content`, against `original`."),
      edits: shownFacts.hunks.describe(
        "Of `content`, against `seen`: change these lines, and no cursor moves.",
      ),
      state: z
        .enum(["current", "merged", "clash", "same", "stale"])
        .describe(
          "`merged`: `content` has what has changed on disk in other lines; `clash`: it shows both versions of the same lines between markers; `same`: the file holds it already; `stale`: the agent would overwrite the file; `current`: there is nothing to say.",
        ),
      words: z
        .array(z.string())
        .describe("The same for people: a sentence, a few words, and fewer; empty for `current`."),
    }),
    answer: Text,
  },
  diffAccepted: {
    method: "companion/diffAccepted",
    params: z.object({
      ...diffId,
      content: z.string().describe("The final text, the user's edits included."),
      ownVersion: z
        .boolean()
        .exactOptional()
        .describe(
          "The user has asked to edit a proposal with a `readOnlyReason`: the agent hears that its own text is accepted, and the user's becomes recovered edits.",
        ),
      ...sentComments,
    }),
    answer: DecisionAnswer,
  },
  diffRejected: {
    method: "companion/diffRejected",
    params: z.object({ ...diffId, ...sentComments }),
    answer: DecisionAnswer,
  },
  ...commentMessages,
  ...listMessages,
  ...writtenMessages,
  openFile: {
    method: "companion/openFile",
    params: z.object({
      path: z.string().describe("Absolute; a file that exists."),
      line: z.int().min(1).exactOptional().describe("1-based."),
      character: z.int().min(1).exactOptional().describe("1-based, in UTF-16 code units."),
    }),
    answer: NoAnswer,
  },
  diagnostics: {
    method: "companion/diagnostics",
    params: z.object({
      path: z.string().exactOptional().describe("Absolute; absent when all are wanted."),
    }),
    answer: z.object({ diagnostics: z.array(PluginDiagnostic).describe("In any order.") }),
  },
  readTerminal: {
    method: "companion/readTerminal",
    params: z.object({
      pids: z.array(z.int()).describe("Of a program and of those that have started it."),
    }),
    answer: z.object({
      pid: z
        .int()
        .exactOptional()
        .describe("The one of them that is the process of a terminal of yours; absent when none is."),
      screen: z
        .string()
        .exactOptional()
        .describe(
          "What that terminal shows now: its rows, without what has scrolled away. Absent with `pid`.",
        ),
    }),
  },
  typeInTerminal: {
    method: "companion/typeInTerminal",
    params: z.object({
      pid: z.int().describe("As `companion/readTerminal` gave it."),
      text: z
        .string()
        .describe(
          "Type it as one bracketed paste, without Enter. It holds no control characters but tabs and line feeds.",
        ),
    }),
    answer: NoAnswer,
  },
  send: {
    method: "companion/send",
    params: z.object({
      mentions: z.array(PluginMention).exactOptional().describe("Files, folders and lines to refer to."),
      diagnostics: z
        .object({ path: z.string().describe("Absolute."), lines: Lines })
        .exactOptional()
        .describe("What was found in these lines: the server asks for it by `companion/diagnostics`."),
      text: z.string().exactOptional().describe("In the user's words."),
      folder: z
        .string()
        .exactOptional()
        .describe("Absolute, of the terminal that you type into; paths in `copy` are relative to it."),
    }),
    answer: z.object({
      message: saidFacts.message,
      copy: z
        .string()
        .exactOptional()
        .describe(
          "No connected agent takes it: put this on the clipboard. It holds no control characters but tabs and line feeds.",
        ),
      types: z
        .boolean()
        .exactOptional()
        .describe("Type `copy` into your terminal of an agent instead, where you have one, as one paste."),
    }),
  },
  draft: {
    method: "companion/draft",
    params: z.object({ ...diffId, content: z.string().describe("The whole text as it stands.") }),
    answer: z.object(shownChange).nullable().describe("Null when it waits no more."),
  },
  pause: {
    method: "companion/pause",
    params: z.object({ paused: z.boolean() }),
    answer: z.object({ message: z.string().describe("A sentence for the user.") }),
  },
  openPage: {
    method: "companion/openPage",
    params: z.object({}),
    answer: z.object(saidFacts),
  },
  review: {
    method: "companion/review",
    params: z.object({
      mode: z
        .enum(reviewModes)
        .exactOptional()
        .describe("From now on, for all agents; absent to ask what counts."),
    }),
    answer: z.object({ message: z.string().describe("A sentence for the user.") }),
  },
  status: {
    method: "companion/status",
    params: z.object({
      port: z.int().describe("Where the agents connect."),
      env: z
        .record(z.string(), z.string())
        .describe("Variables for the editor's terminals. They hold a token: keep them out of logs."),
      paused: z.boolean().describe("Whether agents are sent nothing of what the user looks at."),
      excluded: z.array(z.string()).describe("Absolute paths of open files that agents do not hear of."),
      sessions: z.array(SessionView).describe("The agents that are connected, oldest first."),
      diffs: z.array(DiffView).describe("The proposals that wait for a decision, oldest first."),
      ahead: z
        .array(z.string())
        .describe("The agents whose turn is accepted ahead: do not say that their changes wait."),
      line: z.string().describe("All of it for a status line: `Gemini CLI (2) ahead`."),
      sentence: z.string().describe("All of it as sentences, and when the user reviews what agents write."),
    }),
  },
} as const;

export type PluginContext = z.infer<typeof messages.context.params>;
export type OpenDiffParams = z.infer<typeof messages.openDiff.params>;
export type UpdateDiffParams = z.infer<typeof messages.updateDiff.params>;
export type PageAnswer = z.infer<typeof messages.openPage.answer>;
export type DraftAnswer = z.infer<typeof messages.draft.answer>;
export type DecisionAnswer = z.infer<typeof DecisionAnswer>;
export type OpenFileParams = z.infer<typeof messages.openFile.params>;
export type PluginDiagnostic = z.infer<typeof PluginDiagnostic>;
export type PluginMention = z.infer<typeof PluginMention>;
export type StatusParams = z.infer<typeof messages.status.params>;
