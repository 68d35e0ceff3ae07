import { code, mcp, observed, type Requirement, recommended, specification } from "../../requirement.ts";

export const security: readonly Requirement[] = [
  {
    id: "S1",
    level: "MUST",
    rule: "A request of any method without the token, whole and under `Authorization: Bearer`, is answered 401.",
    sources: [
      specification("I.2", "The server MUST validate the token on every request and reject the others."),
    ],
  },
  {
    id: "S2",
    level: "SHOULD",
    rule: "The body of a 401 is a sentence that helps the user.",
    sources: [observed("Qwen Code shows it to its user as it is.")],
  },
  {
    id: "S3",
    level: "MUST",
    rule: "A request with an `Origin` header comes from a browser and is refused.",
    sources: [
      mcp("Transports", "Servers MUST validate `Origin`, against DNS rebinding."),
      code("Neither CLI ever sends one, so 403 affects no user."),
    ],
  },
  {
    id: "S4",
    level: "MUST",
    rule: "A request whose `Host` is none of the companion's names is refused.",
    sources: [
      code(
        "The official companion accepts `127.0.0.1`, `localhost` and `host.docker.internal` with its port, and answers 403 to all others.",
      ),
    ],
  },
  {
    id: "S5",
    level: "SHOULD",
    rule: "`localhost` and `host.docker.internal` with the companion's port are accepted as `Host`.",
    sources: [
      observed(
        "In a container Gemini CLI connects to `host.docker.internal` alone, Qwen Code when `127.0.0.1` does not answer.",
      ),
    ],
  },
  {
    id: "S6",
    level: "MUST",
    rule: "No answer allows a web page anything: there is no `Access-Control-Allow-Origin`.",
    sources: [recommended("With it, any page could use the companion of its visitor.")],
  },
  {
    id: "S7",
    level: "MUST",
    rule: "The server listens on `127.0.0.1` alone.",
    sources: [
      specification("I", "CLI and companion talk through a local channel."),
      mcp("Transports", "Local servers SHOULD bind to localhost only."),
    ],
  },
  {
    id: "S8",
    level: "SHOULD",
    rule: "No spelling of a path reaches the server without the token, or ever a file of the machine.",
    sources: [recommended("`//mcp`, `/mcp/../…` and `%2e%2e` pass guards that compare strings.")],
  },
  {
    id: "S9",
    level: "SHOULD",
    rule: "A request body has a limit, declared or not.",
    sources: [recommended("Otherwise one request can take all the memory of the editor.")],
  },
  {
    id: "S10",
    level: "SHOULD",
    rule: "A client that sends slowly, or not to the end, delays no other client.",
    sources: [recommended("Editors have one thread, and a companion often runs in it.")],
  },
  {
    id: "S11",
    level: "SHOULD",
    rule: "Without the token a request is refused by its header, before its body is read.",
    sources: [recommended("A client without the token must not fill the memory or reach the parser.")],
  },
  {
    id: "S12",
    level: "MUST",
    rule: "A discovery file can be read and written by its owner only: mode 0600.",
    sources: [
      specification(
        "I.2",
        "The token in it is a secret, and the temporary folder is shared with other users.",
      ),
    ],
  },
  {
    id: "S13",
    level: "MUST",
    rule: "The folder of a discovery file belongs to its owner only: mode 0700.",
    sources: [recommended("Otherwise another user can add files there, or delete ours.")],
  },
  {
    id: "S14",
    level: "SHOULD",
    rule: "A discovery file appears complete, with its mode from the first byte: written under another name, then renamed.",
    sources: [
      recommended("A CLI reads while the file is written; and write-then-chmod is a reported vulnerability."),
    ],
  },
  {
    id: "S15",
    level: "SHOULD",
    rule: "The companion does not write to a folder of discovery files that another user has replaced by a symbolic link.",
    sources: [recommended("In a shared temporary folder any user can create that link first.")],
  },
  {
    id: "S16",
    level: "SHOULD",
    rule: "A folder of discovery files that other users may write to is made private, or not used.",
    sources: [recommended("It may have been made by an older program with a wide umask.")],
  },
  {
    id: "S17",
    level: "MUST",
    rule: "The token is secret and unique: long enough not to be guessed, and different at every start.",
    sources: [specification("I.2", "The companion MUST generate a unique secret token.")],
  },
  {
    id: "S18",
    level: "SHOULD",
    rule: "No refusal quotes the token, not even in part.",
    sources: [recommended("Answers end up in logs and on screens.")],
  },
];
