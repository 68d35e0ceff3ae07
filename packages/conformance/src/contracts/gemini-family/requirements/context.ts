import { code, observed, type Requirement, recommended, specification } from "../../requirement.ts";

export const context: readonly Requirement[] = [
  {
    id: "C1",
    level: "MUST",
    rule: "The parameters of `ide/contextUpdate` are an `IdeContext`: `workspaceState` with `openFiles` and `isTrusted`; a file with `path`, `timestamp`, `isActive`, `cursor` and `selectedText`.",
    sources: [specification("II", "The parameters MUST be an `IdeContext`.")],
  },
  {
    id: "C2",
    level: "SHOULD",
    rule: "The current context is sent as soon as a session's stream opens.",
    sources: [observed("`gemini -p` does not wait: what comes late never reaches the model.")],
  },
  {
    id: "C3",
    level: "SHOULD",
    rule: "A file that is opened or focused is reported, and the one that has the focus has `isActive: true`.",
    sources: [specification("II", "It should be sent when a file is opened, closed or focused.")],
  },
  {
    id: "C4",
    level: "SHOULD",
    rule: "A file that is closed is removed.",
    sources: [specification("II", "It should be sent when a file is opened, closed or focused.")],
  },
  {
    id: "C5",
    level: "MUST",
    rule: "`cursor` is the position of the user's cursor: line and character, both counted from 1.",
    sources: [specification("II", "Line number and character number are 1-based.")],
  },
  {
    id: "C6",
    level: "SHOULD",
    rule: "A character is a UTF-16 code unit, neither a byte nor a column of the screen.",
    sources: [code("The CLIs, and the editor that they were written for, count like this.")],
  },
  {
    id: "C7",
    level: "MUST",
    rule: "`selectedText` is the text that is selected.",
    sources: [
      specification("II", "It should be sent when the selection changes; the field holds the selected text."),
    ],
  },
  {
    id: "C8",
    level: "SHOULD",
    rule: "When the selection ends, `selectedText` is absent.",
    sources: [recommended("Otherwise the model answers about a text that is no longer selected.")],
  },
  {
    id: "C9",
    level: "MUST",
    rule: "Paths are absolute and name files that exist on disk; virtual files are left out.",
    sources: [specification("II", "Virtual files MUST be excluded.")],
  },
  {
    id: "C10",
    level: "SHOULD",
    rule: "A file that is deleted on disk is removed.",
    sources: [specification("II", "Only files that exist on disk should be listed.")],
  },
  {
    id: "C11",
    level: "MUST",
    rule: "`timestamp` is the Unix time at which the file was last focused: the newest has the focus.",
    sources: [specification("II", "The companion MUST give an accurate Unix time; the CLI sorts by it.")],
  },
  {
    id: "C12",
    level: "SHOULD",
    rule: "Only the focused file, which is the newest, has `isActive`, `cursor` and `selectedText`.",
    sources: [
      specification("II", "The flag and the details should be given for the focused file only."),
      code("The CLI removes them from all others."),
    ],
  },
  {
    id: "C13",
    level: "SHOULD",
    rule: "At most 10 files are sent, the newest.",
    sources: [specification("II", "It is highly recommended to limit what is sent; the CLI uses 10.")],
  },
  {
    id: "C14",
    level: "SHOULD",
    rule: "At most 16 384 characters of a selection are sent.",
    sources: [specification("II", "It is highly recommended to limit what is sent; the CLI uses 16 KB.")],
  },
  {
    id: "C15",
    level: "SHOULD",
    rule: "A selection is never cut within a surrogate pair.",
    sources: [recommended("Half of a pair is no character: some models' servers refuse the whole request.")],
  },
  {
    id: "C16",
    level: "SHOULD",
    rule: "While the cursor moves, updates are held back for about 50 ms.",
    sources: [specification("II", "The recommended debounce is 50 ms.")],
  },
  {
    id: "C17",
    level: "SHOULD",
    rule: "While the cursor keeps moving, updates still come.",
    sources: [recommended("A trailing debounce alone starves for as long as the user moves.")],
  },
  {
    id: "C18",
    level: "SHOULD",
    rule: "Every connected CLI receives the context.",
    sources: [recommended("The user of each asks about what is on the screen.")],
  },
  {
    id: "C19",
    level: "SHOULD",
    rule: "`isTrusted` is sent only by an editor that knows trusted folders.",
    sources: [
      observed(
        "If it differs from the CLI's own settings, either way, the CLI takes no more input and asks for a restart.",
      ),
    ],
    unchecked: "Only the editor knows whether it does.",
  },
];
