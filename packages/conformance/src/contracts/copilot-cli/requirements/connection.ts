import { mcp, observed, type Requirement, recommended, rule, secure } from "../../requirement.ts";

export const discovery: readonly Requirement[] = [
  rule(
    "PD1",
    "MUST",
    "A lock file `<home>/ide/<name>.lock` holds a JSON object with `socketPath`, `scheme`, `headers`, `pid`, `ideName`, `timestamp` and `workspaceFolders`. `<home>` is `$COPILOT_HOME` or `~/.copilot`.",
    observed("The CLI skips a lock file in which one of these is missing or has another type."),
  ),
  secure(
    "PD2",
    "MUST",
    "Nobody but its user can read the lock file (mode 0600) or list its folder (0700).",
    recommended("Anybody who has the headers can put texts before the user's eyes."),
  ),
  rule(
    "PD3",
    "MUST",
    "`pid` is the number of a process that runs.",
    observed("The CLI skips the lock file of a dead process."),
  ),
  rule(
    "PD4",
    "MUST",
    "`workspaceFolders` has the real path of each open folder.",
    observed("At its start the CLI connects when its folder equals one of these."),
  ),
  rule(
    "PD5",
    "MUST",
    "The companion listens before it writes the lock file.",
    observed("The CLI connects as soon as it reads the file."),
  ),
  rule(
    "PD6",
    "SHOULD",
    "One companion has one lock file, with all of its folders.",
    observed("`/ide` has a line for each folder of each file."),
  ),
  rule(
    "PD7",
    "SHOULD",
    "When a folder is opened, the lock file names it too.",
    observed("The CLI watches the folder of the files, and connects when a file changes that matches."),
  ),
  rule(
    "PD8",
    "MUST",
    "A lock file is changed in place: it is neither replaced nor removed as long as the companion runs.",
    observed("The CLI takes a file that is renamed over it for the end of the companion."),
  ),
  {
    ...rule(
      "PD9",
      "MUST",
      "`isTrusted` is absent, unless the user has trusted the folders in the editor.",
      observed("With `true` the CLI does not ask its user whether to trust the folder."),
    ),
    unchecked: "Whether the user trusts a folder is not seen from outside.",
  },
];

export const socket: readonly Requirement[] = [
  rule(
    "PS1",
    "MUST",
    "`socketPath` is the absolute path of a socket with the scheme `unix`, or the name of a pipe with the scheme `pipe`.",
    observed("The CLI sends HTTP to it, with the path `/mcp` and the Host `localhost`."),
  ),
  secure(
    "PS2",
    "MUST",
    "Nobody but its user can connect: the socket is in a folder of its user with mode 0700, and has mode 0600.",
    recommended("On a system with several users the modes are the first guard."),
  ),
  secure(
    "PS3",
    "MUST",
    "A request without the headers of the lock file is answered 401, with a text for people.",
    observed("The CLI sends these headers with every request. It shows its user the text of a 401."),
  ),
  secure(
    "PS4",
    "MUST",
    "A request with an `Origin` is refused.",
    recommended("The CLI sends none. A web page may reach the socket through another program."),
  ),
  secure(
    "PS5",
    "SHOULD",
    "A request for another Host than `localhost` is refused.",
    recommended("It has come through another program."),
  ),
  rule(
    "PS6",
    "MUST",
    "A body may be chunked, and may come in pieces.",
    observed("The CLI sends every body chunked."),
  ),
  rule(
    "PS7",
    "MUST",
    "What is no message is refused, and harms nobody.",
    recommended("Any program of the user can connect."),
  ),
  rule("PS8", "MUST", "A body without end is not read forever.", recommended("It would fill the memory.")),
  rule(
    "PS9",
    "MUST",
    "Several CLIs are served at once.",
    observed("Users run one CLI for each task. Their request ids are the same."),
  ),
];

export const session: readonly Requirement[] = [
  rule(
    "PI1",
    "MUST",
    "`server/discover` is refused with an HTTP status from 400 that is not 401, or with a JSON-RPC error.",
    observed("It is the CLI's first request. Refused, it sends `initialize`. A 401 ends its attempt."),
  ),
  rule(
    "PI2",
    "MUST",
    "`initialize` is answered with the version that was asked for, `serverInfo`, and the capability `tools`.",
    observed("The CLI asks for 2025-11-25."),
  ),
  rule(
    "PI3",
    "MUST",
    "The answer of `initialize` has the header `Mcp-Session-Id`, with the value of `X-Copilot-Session-Id`.",
    observed("The CLI sends it back from then on. One id for both shows which CLI a request is from."),
  ),
  rule(
    "PI4",
    "MUST",
    "A second `initialize` with the same `X-Copilot-Session-Id` replaces the first session.",
    observed(
      "The id comes again after a lost connection, and with `--continue`. Refused, the CLI tries again some times and gives up.",
    ),
  ),
  rule(
    "PI5",
    "MUST",
    "A notification is answered 202, without a body.",
    mcp("transports", "An accepted notification is answered 202 Accepted with no body."),
  ),
  rule(
    "PI6",
    "MUST",
    "The stream may break: the session and its waiting calls are still there when the CLI opens it again after a second.",
    observed("The CLI opens a broken stream again after 1 s."),
  ),
  rule(
    "PI7",
    "SHOULD",
    "A session whose stream stays away for 3 seconds is over, and its diffs are taken away.",
    recommended("A CLI that has lost its companion closes its stream alone."),
  ),
  rule(
    "PI8",
    "MUST",
    "`DELETE` ends the session and its diffs.",
    observed("The CLI sends it when it exits."),
    mcp("transports", "A request of a session that is over is answered 404."),
  ),
  rule(
    "PI9",
    "MUST",
    "A request of an unknown session is answered 404, and one without a session 400.",
    mcp("transports", "The client then starts a new session."),
  ),
  rule(
    "PI10",
    "MUST",
    "`open_diff`, `close_diff`, `get_selection`, `get_diagnostics` and `update_session_name` are listed, each with its arguments as texts.",
    observed("The CLI calls these. Its model sees `get_selection` and `get_diagnostics`."),
  ),
  rule(
    "PI11",
    "MUST",
    "`ping` is answered, and an unknown method with the error -32601.",
    mcp("ping", "The receiver must respond promptly with an empty response."),
  ),
  rule(
    "PI12",
    "SHOULD",
    "An unknown tool is answered with an error.",
    mcp("tools", "Unknown tools are protocol errors."),
  ),
  rule(
    "PI13",
    "SHOULD",
    "`update_session_name` is answered `{success: true}`.",
    observed("The CLI calls it for a conversation with a name, and whenever that changes."),
  ),
];

export const lifecycle: readonly Requirement[] = [
  rule(
    "PL1",
    "MUST",
    "When the companion ends, its lock file and its socket are gone, even if a CLI is connected.",
    observed("The CLI notices the end of its companion by the lock file alone."),
  ),
  rule(
    "PL2",
    "SHOULD",
    "The lock file is removed before the connections close.",
    observed("The CLI opens a broken stream again as long as the file is there."),
  ),
  rule(
    "PL3",
    "SHOULD",
    "When it ends while a diff is open, the companion does not decide it.",
    observed("Without an answer the question in the terminal is still there."),
  ),
  rule(
    "PL4",
    "MUST",
    "The lock file of a dead process is removed when a companion starts.",
    observed(
      "The CLI removes none, and believes that it is connected to a companion that was killed until the file is gone.",
    ),
  ),
  rule(
    "PL5",
    "MUST",
    "The lock file of another process that runs stays, and so does one that cannot be read.",
    recommended("Every other editor would lose its CLIs."),
  ),
];
