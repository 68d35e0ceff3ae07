import { observed, type Requirement } from "../../requirement.ts";

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
