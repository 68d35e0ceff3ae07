import { observed, type Requirement, recommended } from "../../requirement.ts";

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
    rule: "Without the token, or with another one, the upgrade is refused with 401.",
    sources: [observed("The CLI tries once and stays unconnected.")],
  },
  {
    id: "CS3",
    level: "MUST",
    rule: "An upgrade with an `Origin` is refused.",
    sources: [observed("The CLI sends no `Origin`; every web page does.")],
  },
  {
    id: "CS4",
    level: "MUST",
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
    level: "MUST",
    rule: "`initialize` is answered with the version that the CLI asks for, with `serverInfo` and with the capability `tools`.",
    sources: [observed("Versions 2.x ask for 2025-11-25, version 1.0.128 for 2025-06-18.")],
  },
  {
    id: "CM2",
    level: "MUST",
    rule: "`tools/list` has `openDiff`, `close_tab`, `closeAllDiffTabs` and `getDiagnostics`.",
    sources: [observed("These are the tools that the CLI calls.")],
  },
  {
    id: "CM3",
    level: "MUST",
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
    level: "MUST",
    rule: "Notifications are not answered: `notifications/initialized`, `ide_connected`, and unknown ones.",
    sources: [observed("The CLI sends `ide_connected` with its process id after each handshake.")],
  },
];
