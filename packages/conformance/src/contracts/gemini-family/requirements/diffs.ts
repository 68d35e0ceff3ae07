import { code, mcp, observed, type Requirement, recommended } from "../../requirement.ts";
import { neovimPage, specification } from "./specifications.ts";

export const diffs: readonly Requirement[] = [
  {
    id: "P1",
    level: "MUST",
    rule: "The tool `openDiff` is listed, with the strings `filePath` and `newContent`.",
    sources: [specification("III", "The companion MUST register an `openDiff` tool.")],
  },
  {
    id: "P2",
    level: "MUST",
    rule: "The tool `closeDiff` is listed, with the string `filePath`; it takes `suppressNotification` too.",
    sources: [
      specification("III", "The companion MUST register a `closeDiff` tool."),
      observed("Both CLIs send `suppressNotification`, which the specifications do not mention."),
    ],
  },
  {
    id: "P3",
    level: "MUST",
    rule: "`openDiff` is answered at once, before the user decides, with `content: []`.",
    sources: [specification("III", "The tool MUST answer immediately, and with empty content on success.")],
  },
  {
    id: "P4",
    level: "MUST",
    rule: "A call that cannot be carried out is answered with `isError: true` and one text, or with a JSON-RPC error.",
    sources: [
      specification("III", "The answer MUST have `isError: true` and a text that describes the error."),
    ],
  },
  {
    id: "P5",
    level: "MUST",
    rule: "`closeDiff` is answered with one text: the final content, the user's edits included.",
    sources: [
      specification("III", "The answer MUST include a single text with the final content before closing."),
    ],
  },
  {
    id: "P6",
    level: "SHOULD",
    agent: "gemini",
    rule: 'Gemini CLI gets that text as JSON, `{"content": "…"}`.',
    sources: [observed("It takes it in this form only; otherwise the user's edits are lost.")],
  },
  {
    id: "P7",
    level: "MUST",
    rule: "`closeDiff` for a file that has no open diff is answered with `isError: true` and a text.",
    sources: [specification("III", "If the view could not be closed, the answer MUST have `isError: true`.")],
  },
  {
    id: "P8",
    level: "MUST",
    rule: "`ide/diffAccepted` follows when the user accepts, with the final text, their edits included.",
    sources: [
      specification("III", "The companion MUST send it, with the file's path and its final content."),
    ],
  },
  {
    id: "P9",
    level: "MUST",
    rule: "`ide/diffRejected` follows when the user rejects.",
    sources: [specification("III", "The companion MUST send it, with the file's path.")],
  },
  {
    id: "P10",
    level: "MUST",
    rule: "Closing the diff without a decision rejects it.",
    sources: [specification("III", "Closing the view without accepting is the example of a rejection.")],
  },
  {
    id: "P11",
    level: "MUST",
    rule: "`filePath` comes back exactly as it was sent, never normalised.",
    sources: [code("The CLI compares the strings, and waits forever if they differ.")],
  },
  {
    id: "P12",
    level: "MUST",
    rule: "Nothing follows a `closeDiff` with `suppressNotification: true`.",
    sources: [observed("The user has decided in the terminal; a notification would race with it.")],
  },
  {
    id: "P13",
    level: "SHOULD",
    rule: "A rejection follows a `closeDiff` without `suppressNotification`.",
    sources: [neovimPage("closeDiff", "The argument says: don't send the notification.")],
  },
  {
    id: "P14",
    level: "MUST",
    rule: "A diff has one outcome, sent once.",
    sources: [recommended("A second one may decide the next diff of the same file.")],
  },
  {
    id: "P15",
    level: "MUST",
    rule: "Only the session that opened a diff receives its outcome.",
    sources: [recommended("Another CLI may be waiting for a diff of the same file.")],
  },
  {
    id: "P16",
    level: "SHOULD",
    rule: "Only the session that opened a diff can close it.",
    sources: [recommended("An agent must not close what another one waits for.")],
  },
  {
    id: "P17",
    level: "SHOULD",
    rule: "Two sessions may each have a diff of the same file.",
    sources: [observed("Each CLI opens one at a time, and two CLIs may work on the same file.")],
  },
  {
    id: "P18",
    level: "SHOULD",
    rule: "A second proposal of a session for the same file replaces the first.",
    sources: [recommended("The first one is no longer what the agent wants.")],
  },
  {
    id: "P19",
    level: "SHOULD",
    rule: "An outcome for a session whose stream is down is sent on its next stream.",
    sources: [observed("A stream that broke is opened again after one second; the CLI still waits.")],
  },
  {
    id: "P20",
    level: "SHOULD",
    rule: "Events have ids, and a stream that is opened again with `Last-Event-ID` gets the outcomes after it, and none before.",
    sources: [
      mcp("Transports", "The server MAY replay what came after the event that the client names."),
      observed("Both CLIs name the last event that they have received, when events have ids."),
    ],
  },
  {
    id: "P21",
    level: "MUST",
    rule: "The companion does not write the file when the user accepts.",
    sources: [
      observed("The CLI writes it. If both write, another version, a newline or other line ends may remain."),
    ],
  },
  {
    id: "P22",
    level: "MUST",
    rule: "A text comes back byte for byte: line ends, a byte order mark, a missing last newline.",
    sources: [specification("III", "`content` is the full content of the file after acceptance.")],
  },
  {
    id: "P23",
    level: "SHOULD",
    rule: "An empty text is not sent as accepted.",
    sources: [observed("Both CLIs ignore it and write the model's text: inform the user instead.")],
  },
  {
    id: "P24",
    level: "SHOULD",
    rule: "The diffs of a CLI that was killed are closed.",
    sources: [observed("A killed CLI says nothing; its stream closes, and is not opened again.")],
  },
  {
    id: "P25",
    level: "SHOULD",
    rule: "`closeDiff` closes the view.",
    sources: [specification("III", "The tool instructs the IDE to close the open view.")],
  },
  {
    id: "P26",
    level: "SHOULD",
    rule: "A file that does not exist yet, in a folder that does not exist either, can be proposed; neither is created.",
    sources: [observed("`write_file` creates new files.")],
  },
  {
    id: "P27",
    level: "SHOULD",
    rule: "A path that cannot be shown as a diff, such as a folder, does no harm.",
    sources: [recommended("Models get paths wrong.")],
  },
  {
    id: "P28",
    level: "MAY",
    rule: "`acceptDiff` accepts and writes the file, byte for byte, with its mode unchanged; `rejectDiff` rejects. Both only for diffs of the calling session, and the notification follows.",
    sources: [neovimPage("acceptDiff, rejectDiff", "Accept and apply to the file, or discard, then notify.")],
  },
  {
    id: "P29",
    level: "SHOULD",
    rule: "A diff waits for a decision for as long as the user needs.",
    sources: [code("The CLI gives a request 10 minutes, and a decision unlimited time.")],
    unchecked: "It would take too long for a report.",
  },
  {
    id: "P30",
    level: "SHOULD",
    rule: "Edits that no CLI has received remain available to the user.",
    sources: [observed("Qwen Code ignores every answer to `closeDiff`.")],
    unchecked: "Only a person can see where an editor stores them.",
  },
  {
    id: "P31",
    level: "SHOULD",
    rule: "A diff takes neither the focus nor keystrokes from the user, and does not change unsaved edits of the file.",
    sources: [recommended("Users ask for nothing more often.")],
    unchecked: "Only a person can see where the focus is.",
  },
  {
    id: "P32",
    level: "SHOULD",
    rule: "`isError` means that no diff can be shown at all: that a file is read-only, binary so far, or outside the open folders is no reason.",
    sources: [observed("Gemini CLI covers its screen with it.")],
  },
  {
    id: "P33",
    level: "MUST",
    rule: "`openDiff` shows the diff in the editor.",
    sources: [specification("III", "The tool instructs the IDE to open a view of the diff.")],
  },
];
