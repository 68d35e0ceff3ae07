import { observed, type Requirement, recommended } from "../../requirement.ts";

export const discovery: readonly Requirement[] = [
  {
    id: "CD1",
    level: "MUST",
    rule: 'A lock file `<config>/ide/<port>.lock` holds a JSON object with `pid`, `workspaceFolders`, `ideName`, `transport: "ws"` and `authToken`. `<config>` is `$CLAUDE_CONFIG_DIR` or `~/.claude`.',
    sources: [
      observed(
        "The CLI reads both folders, and the port in the name. With any other `transport` the CLI speaks an older protocol, and sends no token.",
      ),
    ],
  },
  {
    id: "CD2",
    level: "MUST",
    isSecurity: true,
    rule: "Nobody but its user can read the lock file (mode 0600) or list its folder (0700).",
    sources: [recommended("Anybody who has the token can put texts into the user's files.")],
  },
  {
    id: "CD3",
    level: "MUST",
    rule: "`pid` is the number of a process that runs.",
    sources: [observed("The CLI deletes the lock file of a dead process when it starts.")],
  },
  {
    id: "CD4",
    level: "MUST",
    rule: "`workspaceFolders` has the real path of each open folder.",
    sources: [
      observed(
        "The CLI connects when its folder is one of these or below one. A symbolic link to its folder does not match.",
      ),
    ],
  },
  {
    id: "CD5",
    level: "MUST",
    rule: "One companion has one lock file, with all of its folders.",
    sources: [observed("When two lock files match its folder, the CLI connects to neither.")],
  },
  {
    id: "CD6",
    level: "SHOULD",
    rule: "When a folder is opened, the lock file names it too.",
    sources: [observed("The CLI reads the folders each time it looks for its IDE.")],
  },
  {
    id: "CD7",
    level: "SHOULD",
    rule: "Terminals of the editor have `CLAUDE_CODE_SSE_PORT` with the port.",
    sources: [
      observed(
        "With it the CLI connects without being asked, in any folder, and when several lock files match.",
      ),
    ],
  },
];

export const socket: readonly Requirement[] = [
  {
    id: "CS1",
    level: "MUST",
    rule: "On `127.0.0.1:<port>` a WebSocket with the header `x-claude-code-ide-authorization: <authToken>` is accepted, and the subprotocol `mcp` is echoed.",
    sources: [observed("Without the subprotocol the CLI hangs up, says nothing and does not try again.")],
  },
  {
    id: "CS2",
    level: "MUST",
    isSecurity: true,
    rule: "Without the token, or with another one, the upgrade is refused.",
    sources: [
      recommended("Any other program of this machine could put texts into the user's files."),
      observed("The CLI tries once and stays unconnected."),
    ],
  },
  {
    id: "CS3",
    level: "MUST",
    isSecurity: true,
    rule: "An upgrade with an `Origin` is refused.",
    sources: [observed("The CLI sends no `Origin`; every web page does.")],
  },
  {
    id: "CS4",
    level: "MUST",
    isSecurity: true,
    rule: "An upgrade with a `Host` that is not this machine's is refused.",
    sources: [recommended("A web page can give its own name this machine's address.")],
  },
  {
    id: "CS5",
    level: "MUST",
    rule: "Several CLIs are connected at once, each with its own request ids.",
    sources: [
      observed(
        "Ids begin at 0 on each socket. A CLI that is thrown out (close code 4001) stays away until `/ide`.",
      ),
    ],
  },
  {
    id: "CS6",
    level: "MUST",
    rule: "What is no JSON-RPC harms neither the companion nor other CLIs.",
    sources: [recommended("One faulty client must not cost the user the others.")],
  },
  {
    id: "CS7",
    level: "MUST",
    rule: "The companion does not close a socket that is silent.",
    sources: [observed("A question can stay open for as long as its user thinks; the CLI sends no pings.")],
    unchecked: "it would take longer than anybody waits for a check.",
  },
];

export const messages: readonly Requirement[] = [
  {
    id: "CM1",
    level: "SHOULD",
    rule: "`initialize` is answered with the version that the CLI asks for, with `serverInfo` and with the capability `tools`.",
    sources: [
      observed(
        "Versions 2.x ask for 2025-11-25, version 1.0.128 for 2025-06-18. They go on with an older version, too.",
      ),
    ],
  },
  {
    id: "CM2",
    level: "SHOULD",
    rule: "`tools/list` has `openDiff`, `close_tab`, `closeAllDiffTabs` and `getDiagnostics`.",
    sources: [observed("These are the tools that the CLI calls, whether they are listed or not.")],
  },
  {
    id: "CM3",
    level: "SHOULD",
    rule: "`ping` is answered with an empty result, and an unknown method with the error −32601.",
    sources: [recommended("It is MCP, and JSON-RPC 2.0.")],
  },
  {
    id: "CM4",
    level: "MUST",
    rule: "An unknown tool is answered with an error.",
    sources: [observed("A CLI waits for the answer of a call without a limit.")],
  },
  {
    id: "CM5",
    level: "SHOULD",
    rule: "Notifications are not answered: `notifications/initialized`, `ide_connected`, and unknown ones.",
    sources: [observed("The CLI sends `ide_connected` with its process id after each handshake.")],
  },
];

export const lifecycle: readonly Requirement[] = [
  {
    id: "CL1",
    level: "MUST",
    rule: "When the companion ends, its lock file is removed and its port is closed.",
    sources: [observed("A CLI that starts later tries each lock file whose process runs.")],
  },
  {
    id: "CL2",
    level: "MUST",
    rule: "Lock files of other running companions stay.",
    sources: [recommended("Another editor would lose its CLIs.")],
  },
  {
    id: "CL3",
    level: "SHOULD",
    rule: "A companion that starts again in its folder has the same port and the same token.",
    sources: [
      observed(
        "The CLI tries the same address with the same token for about 13 s, and finds no other one before `/ide`.",
      ),
    ],
  },
  {
    id: "CL4",
    level: "MUST",
    rule: "A CLI whose socket broke connects again with the same token.",
    sources: [observed("It tries after 10 ms, with a full new handshake.")],
  },
];
