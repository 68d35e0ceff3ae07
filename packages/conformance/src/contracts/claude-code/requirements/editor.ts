import { observed, type Requirement, recommended } from "../../requirement.ts";

export const diffs: readonly Requirement[] = [
  {
    id: "CP1",
    level: "MUST",
    rule: "`openDiff` is answered when the user has decided, not before.",
    sources: [observed("The answer is the decision.")],
  },
  {
    id: "CP2",
    level: "MUST",
    rule: "When the user accepts, the answer has the texts `FILE_SAVED` and the final contents, the user's edits included.",
    sources: [observed("The CLI writes these contents, and tells the model when the user has edited them.")],
  },
  {
    id: "CP3",
    level: "MUST",
    rule: "When the user rejects, the answer is `DIFF_REJECTED`.",
    sources: [observed("The turn ends, and the file stays as it was.")],
  },
  {
    id: "CP4",
    level: "MUST",
    rule: "When the user closes the diff without a decision, the answer is `DIFF_REJECTED`, never `TAB_CLOSED`.",
    sources: [observed("The CLI takes `TAB_CLOSED` for an acceptance, and writes the proposal.")],
  },
  {
    id: "CP5",
    level: "MUST",
    rule: "The companion does not touch the file: the CLI writes it.",
    sources: [observed("A file that has changed since it was read makes the CLI's own write fail.")],
  },
  {
    id: "CP6",
    level: "MUST",
    rule: "`close_tab` is answered `TAB_CLOSED` and takes the diff away; a second time, and for an unknown name, it is answered the same.",
    sources: [observed("It comes after every outcome, often twice, and says nothing of the outcome.")],
  },
  {
    id: "CP7",
    level: "MUST",
    rule: "An `openDiff` that `close_tab` ends is never answered as accepted.",
    sources: [observed("The user may have said no in the terminal.")],
  },
  {
    id: "CP8",
    level: "MUST",
    rule: "`closeAllDiffTabs` is answered `CLOSED_<n>_DIFF_TABS`, and takes away the diffs of the CLI that calls it, and no other.",
    sources: [observed("It comes with every prompt: a CLI would remove the question of another one.")],
  },
  {
    id: "CP9",
    level: "MUST",
    rule: "`close_tab` reaches the diffs of the CLI that calls it, and no other, also when another one uses the same name.",
    sources: [recommended("Names are unique by chance only.")],
  },
  {
    id: "CP10",
    level: "MUST",
    rule: "When a socket closes, the diffs of its CLI are taken away.",
    sources: [observed("No `close_tab` for them ever comes, also not on the next socket.")],
  },
  {
    id: "CP11",
    level: "MUST",
    rule: "`openDiff` is answered once.",
    sources: [recommended("It is JSON-RPC 2.0.")],
  },
  {
    id: "CP12",
    level: "MUST",
    rule: "A text that is accepted as it was proposed comes back as it was proposed; line ends and a byte order mark may be the file's.",
    sources: [
      observed("The CLI sends LF for every file, and gives the file its own line ends and mark again."),
    ],
  },
  {
    id: "CP13",
    level: "MUST",
    rule: "A diff of a file that does not exist can be shown, also in a folder that does not exist.",
    sources: [observed("The CLI makes both after the decision.")],
  },
  {
    id: "CP14",
    level: "MUST",
    rule: "A proposal of several megabytes is shown.",
    sources: [observed("`new_file_contents` is always the whole file.")],
  },
];

export const context: readonly Requirement[] = [
  {
    id: "CC1",
    level: "MUST",
    rule: "When a file gets the focus, `selection_changed` names it in `filePath`, with an empty `text`.",
    sources: [observed("The prompt shows the file, and the model hears of it once.")],
  },
  {
    id: "CC2",
    level: "MUST",
    rule: "When a text is selected, `selection_changed` has it in `text`, and its range in `selection`: `start` and `end`, each with `line` and `character` from 0, and `isEmpty`.",
    sources: [
      observed("The prompt shows the number of lines, and the model gets their numbers and the text."),
    ],
  },
  {
    id: "CC3",
    level: "MUST",
    rule: "The present selection is sent again some 300 ms after each `tools/list` of a connection.",
    sources: [
      observed("What is sent within 200 ms after it is lost, and a new connection knows no selection."),
    ],
  },
  {
    id: "CC4",
    level: "SHOULD",
    rule: "When no file has the focus any more, `selection_changed` has an empty `text` and no `filePath`.",
    sources: [observed("It clears the prompt. With `selection: null` the message is ignored.")],
  },
  {
    id: "CC5",
    level: "MUST",
    rule: "Every connected CLI gets the selection.",
    sources: [observed("Each has its own prompt.")],
  },
  {
    id: "CC6",
    level: "MUST",
    rule: "`at_mentioned` with `filePath`, `lineStart` and `lineEnd` (from 0) goes to one CLI.",
    sources: [observed("It types the file into the prompt: of every CLI that gets it.")],
  },
];

export const diagnostics: readonly Requirement[] = [
  {
    id: "CG1",
    level: "MUST",
    rule: "`getDiagnostics` is answered with a text: the JSON of a list of `{uri, diagnostics}`. An editor that knows nothing answers an empty list.",
    sources: [
      observed(
        "The CLI compares the lists from before and after its write, and tells the model what is new.",
      ),
    ],
  },
  {
    id: "CG2",
    level: "MUST",
    rule: "For one `uri` the answer comes within 500 ms, and for all files within 2 s, also while a diff is open.",
    sources: [observed("Every edit is held up until the answer comes, or until these limits pass.")],
  },
  {
    id: "CG3",
    level: "MUST",
    rule: "A `uri` is `file://` and the path as it is, without percent-encoding; each diagnostic has `message`, `severity` (`Error`, `Warning`, `Info` or `Hint`) and a `range` from 0.",
    sources: [observed("It is the form that the CLI uses for spaces, umlauts and percent signs, too.")],
  },
];
