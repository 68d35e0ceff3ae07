import {
  mcp,
  neovimPage,
  observed,
  type Requirement,
  recommended,
  specification,
} from "../../requirement.ts";

export const transport: readonly Requirement[] = [
  {
    id: "T1",
    level: "MUST",
    rule: "A local HTTP server speaks MCP: `initialize` is answered with `protocolVersion`, `serverInfo` and the capability `tools`.",
    sources: [specification("I.1", "The companion MUST run a local HTTP server that implements MCP.")],
  },
  {
    id: "T2",
    level: "MUST",
    rule: "Its endpoint is `/mcp`.",
    sources: [
      specification("I.1", "One endpoint, such as `/mcp`, should serve all of MCP."),
      observed("Both CLIs post to `/mcp` of the port in the discovery file."),
    ],
  },
  {
    id: "T3",
    level: "MUST",
    rule: "The system chooses the port: two companions that run at once have two ports.",
    sources: [
      specification("I.1", "The server MUST listen on a dynamically assigned port, by listening on 0."),
    ],
  },
  {
    id: "T4",
    level: "MUST",
    rule: "A request is answered as `application/json` or `text/event-stream`, with the id of the request.",
    sources: [mcp("Transports", "These are the two content types; an answer has the id of its request.")],
  },
  {
    id: "T5",
    level: "MUST",
    rule: "`ping` is answered with an empty result.",
    sources: [mcp("Ping", "The receiver MUST answer promptly with an empty response.")],
  },
  {
    id: "T6",
    level: "MUST",
    rule: "A method that does not exist is answered with the error −32601.",
    sources: [mcp("Overview", "Messages MUST follow JSON-RPC 2.0, which has this code for it.")],
  },
  {
    id: "T7",
    level: "MUST",
    rule: "What is not JSON, or not JSON-RPC, is answered with 400 or an error, and does no harm.",
    sources: [mcp("Transports", "Input that the server cannot accept MUST get an HTTP error status.")],
  },
  {
    id: "T8",
    level: "MUST",
    rule: "`notifications/initialized`, like every notification, is answered 202 with no body.",
    sources: [
      mcp("Transports", "A notification that is accepted MUST be answered 202 with no body."),
      observed("After any other status neither CLI opens its stream, so it receives nothing."),
    ],
  },
  {
    id: "T9",
    level: "MUST",
    rule: "GET `/mcp` in a session opens a stream of server-sent events.",
    sources: [observed("Both CLIs receive context and outcomes on this stream only.")],
  },
  {
    id: "T10",
    level: "MUST",
    rule: "The companion agrees on the protocol version that the CLI asks for, or on another that the CLI supports: Gemini CLI asks for 2025-06-18, Qwen Code for 2025-11-25.",
    sources: [
      mcp("Lifecycle", "A version that the server supports MUST be answered with the same version."),
      observed("What each of the CLIs asks for."),
    ],
  },
  {
    id: "T11",
    level: "MUST",
    rule: "An unknown version is answered with one that the companion serves.",
    sources: [mcp("Lifecycle", "Otherwise the server MUST answer with another version that it supports.")],
  },
  {
    id: "T12",
    level: "MUST",
    rule: "A header `MCP-Protocol-Version` with an unknown version is answered 400.",
    sources: [mcp("Transports", "An invalid or unsupported version in the header MUST be answered 400.")],
  },
  {
    id: "T13",
    level: "MUST",
    rule: "A companion that issues session ids answers 404 to one that it has not issued, so that a CLI starts a new session.",
    sources: [mcp("Transports", "A session that is over MUST be answered 404.")],
  },
  {
    id: "T14",
    level: "SHOULD",
    rule: "A companion that issues session ids answers 400 to a request without one, except `initialize`.",
    sources: [mcp("Transports", "Servers that require a session id SHOULD answer 400 without it.")],
  },
  {
    id: "T15",
    level: "MUST",
    rule: "Several CLIs of both kinds are connected at once, and each is answered.",
    sources: [
      observed(
        "Both CLIs run side by side in one editor. Where they share one MCP server object, the second one makes the first one's calls time out.",
      ),
    ],
  },
  {
    id: "T16",
    level: "MUST",
    rule: "A message goes out on one stream of a session only.",
    sources: [mcp("Transports", "The same message MUST NOT be sent on several streams.")],
  },
  {
    id: "T17",
    level: "MUST",
    rule: "A session outlives its stream by some seconds: a stream that broke is opened again in the same session.",
    sources: [observed("Both CLIs open a stream that broke again after one second, in the same session.")],
  },
  {
    id: "T18",
    level: "MUST",
    rule: "Nothing on the companion's side ends a stream.",
    sources: [observed("After a break a CLI still takes contexts, but opens no diffs before `/ide enable`.")],
  },
  {
    id: "T19",
    level: "MUST",
    rule: "A stream is never silent for five minutes: a comment every 15 s is enough.",
    sources: [observed('After five silent minutes a CLI drops the stream and says "Disconnected".')],
  },
  {
    id: "T20",
    level: "SHOULD",
    rule: "CLIs that disconnect without DELETE leave nothing behind that slows the companion down.",
    sources: [observed("Neither CLI ever sends DELETE: when it exits, its stream closes.")],
  },
  {
    id: "T21",
    level: "MUST",
    rule: "A request of several MiB is accepted.",
    sources: [observed("A proposal is always a whole file; many servers stop at 100 kB by default.")],
  },
  {
    id: "T22",
    level: "MUST",
    rule: "When events have ids, no two events of a session have the same.",
    sources: [mcp("Transports", "An event's id MUST be unique across all streams of a session.")],
  },
  {
    id: "T23",
    level: "MAY",
    rule: "`GET /events` sends the context as `notifications/context-update`, `openFiles` with `path` and `timestamp`, `activeFile` with `path`, `cursorPosition` and `selection`, to clients with the token only.",
    sources: [
      neovimPage("HTTP Connection", "There is `/events` next to `/mcp`; all requests include the token."),
      neovimPage("Notification Events", "Its name and fields."),
    ],
  },
  {
    id: "T24",
    level: "MAY",
    rule: "`GET /health` answers without a token, and then reveals only that the companion runs.",
    sources: [recommended("It shows quickly which end of a broken connection is dead.")],
  },
  {
    id: "T25",
    level: "MAY",
    rule: "A client of MCP 2026-07-28, which knows no sessions, is served; or it is refused with an error that it understands.",
    sources: [mcp("2026-07-28", "An unsupported version is answered 400 with a JSON-RPC error.")],
  },
  {
    id: "T26",
    level: "MAY",
    rule: "`GET /events` in a session sends its outcomes as `notifications/ide/diffAccepted` with `filePath` and `content`, and `notifications/ide/diffRejected` with `filePath`.",
    sources: [neovimPage("Notification Events", "Their names and fields.")],
  },
];
