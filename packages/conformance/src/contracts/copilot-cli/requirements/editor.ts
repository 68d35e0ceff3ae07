import { observed, type Requirement, recommended, rule } from "../../requirement.ts";

export const diffs: readonly Requirement[] = [
  rule(
    "PP1",
    "MUST",
    "`open_diff` is answered when the user has decided, however long that takes.",
    observed("An answer ends the question in the terminal. The CLI waits for minutes without a byte."),
  ),
  rule(
    "PP2",
    "MUST",
    'An acceptance is answered with the result "SAVED".',
    observed("The CLI then writes the file with its own text."),
  ),
  rule(
    "PP3",
    "MUST",
    'A rejection is answered with the result "REJECTED".',
    observed("The CLI tells its model that the user has rejected the change."),
  ),
  rule(
    "PP4",
    "MUST",
    "The answer is one text: a JSON object with `success: true`, and `result`, `trigger`, `message` and the `tab_name` as texts.",
    observed("Without one of these the answer counts as no decision."),
  ),
  rule(
    "PP5",
    "MUST",
    "The companion does not write the file.",
    observed("The CLI writes it. A new file that is there by then is an error for its model."),
  ),
  rule(
    "PP6",
    "MUST",
    "`close_diff` takes the diff away and is answered `{success: true, already_closed, tab_name, message}`, as often as it comes.",
    observed("The CLI calls it when its user has decided in the terminal."),
  ),
  rule(
    "PP7",
    "MUST",
    'The call that waits for a diff that `close_diff` takes away is answered with the result "REJECTED".',
    observed("The CLI ignores this answer. Another one would stand for a decision."),
  ),
  rule(
    "PP8",
    "MUST",
    "A diff that the user closes without a decision is not accepted.",
    observed("The question in the terminal is still there."),
  ),
  rule(
    "PP9",
    "MUST",
    "The name of a tab belongs to one session.",
    recommended("Two CLIs may give the same name."),
  ),
  rule(
    "PP10",
    "MUST",
    "When the connections of a CLI close, its diffs are taken away.",
    observed("A CLI that is killed sends nothing."),
  ),
  rule(
    "PP11",
    "MUST",
    "A file that does not exist yet can be proposed, in a folder that does not exist either.",
    observed("The CLI proposes new files the same way."),
  ),
  rule(
    "PP12",
    "MUST",
    "A text of several megabytes can be proposed.",
    observed("The CLI sends the whole text of the file."),
  ),
  rule(
    "PP13",
    "MUST",
    "`open_diff` without its arguments is answered with an error.",
    observed("With an error, the question in the terminal is still there."),
  ),
  {
    ...rule(
      "PP14",
      "SHOULD",
      "The proposed text is read-only, or what the user makes of it is put back once the CLI has written the file.",
      observed("The answer has no field for a text: the CLI writes its own."),
    ),
    unchecked: "A companion may do either, and the file is the CLI's to write.",
  },
];

export const context: readonly Requirement[] = [
  rule(
    "PC1",
    "MUST",
    "`selection_changed` has `text`, `filePath`, `fileUrl` and `selection: {start, end, isEmpty}`. Lines and characters count from 0, characters in UTF-16 units.",
    observed("The CLI puts the text before the next prompt, with the path and the lines."),
  ),
  rule(
    "PC2",
    "SHOULD",
    "The selection is sent when a stream opens.",
    observed("Otherwise the CLI does not know it until it changes."),
  ),
  rule(
    "PC3",
    "MUST",
    "When the user selects nothing any more, an empty selection is sent.",
    observed("The CLI sends the last text with every prompt until it gets another."),
  ),
  rule(
    "PC4",
    "MUST",
    "When the file of the selection is closed, an empty selection or that of another file is sent.",
    observed("The CLI sends the last text with every prompt until it gets another."),
  ),
  rule("PC5", "MUST", "Every CLI gets the selection.", recommended("The user may go on with any of them.")),
  rule(
    "PC6",
    "SHOULD",
    "`add_file_reference` goes to one CLI, and has `filePath`, `fileUrl`, `selection` and `selectedText`; the last two may be null.",
    observed("The CLI types a reference into its prompt. It needs all four keys."),
  ),
  rule(
    "PC7",
    "MUST",
    "`get_selection` is answered `{text, filePath, fileUrl, selection, current}`, or `null`.",
    observed("The model gets this text."),
  ),
];

export const diagnostics: readonly Requirement[] = [
  rule(
    "PG1",
    "MUST",
    "`get_diagnostics` is answered with a list of `{uri, filePath, diagnostics}`, each diagnostic with `message`, `severity` and `range`.",
    observed("The model gets this text."),
  ),
  rule(
    "PG2",
    "SHOULD",
    "A severity is `Error`, `Warning`, `Information` or `Hint`.",
    observed("The CLI counts these alone; with any other it says that there are no diagnostics."),
  ),
  rule(
    "PG3",
    "SHOULD",
    "The answer is there within half a second for one file, and 2 s for all, also while a diff is open.",
    recommended("The model waits for it."),
  ),
];
