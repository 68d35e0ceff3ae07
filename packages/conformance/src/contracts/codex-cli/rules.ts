import { createRuleBook, observed, type Requirement, recommended } from "../requirement.ts";

const socket: readonly Requirement[] = [
  {
    id: "XS1",
    level: "MUST",
    rule: "A socket at `$CODEX_HOME/ipc/ipc.sock` (`~/.codex/ipc/ipc.sock`) is listened on.",
    sources: [observed("The CLI tries this path first.")],
  },
  {
    id: "XS2",
    level: "MUST",
    rule: "Neither the group nor others can write to the socket's folder.",
    sources: [observed("The CLI does not connect to a socket in a folder of mode 0777.")],
  },
  {
    id: "XS3",
    level: "MUST",
    isSecurity: true,
    rule: "Nobody but its user can connect: the folder has mode 0700 and the socket 0600.",
    sources: [recommended("There is no token: the modes are all that keeps other users away.")],
  },
  {
    id: "XS4",
    level: "MAY",
    rule: "Questions are answered at `$TMPDIR/codex-ipc/ipc-<uid>.sock` too (for root, `ipc.sock`).",
    sources: [observed("The CLI tries it next, and older versions try it alone.")],
  },
  {
    id: "XS5",
    level: "MUST",
    rule: "A socket file whose program has ended is replaced.",
    sources: [observed("A killed program leaves its socket file.")],
  },
];

const frames: readonly Requirement[] = [
  {
    id: "XF1",
    level: "MUST",
    rule: "A message is its length in four bytes, little-endian, and its JSON. It may come in pieces, and several may come at once.",
    sources: [observed("Both sides send this.")],
  },
  {
    id: "XF2",
    level: "MUST",
    rule: "What is no message ends its own connection at most.",
    sources: [recommended("Any program of the user can connect.")],
  },
];

const questions: readonly Requirement[] = [
  {
    id: "XQ1",
    level: "MUST",
    rule: '`ide-context` is answered with `type: "response"`, the same `requestId`, `resultType: "success"` and `result.ideContext`.',
    sources: [observed("The CLI asks before each message while `/ide` is on, by a new connection.")],
  },
  {
    id: "XQ2",
    level: "MUST",
    rule: "`activeFile` is null, or has a `label`, a `path` and a `selection` whose lines and characters are whole numbers from 0; `openTabs` is a list.",
    sources: [observed("For any other shape the CLI drops the whole context.")],
  },
  {
    id: "XQ3",
    level: "MUST",
    rule: "`activeFile` is the file that has the focus, with the selected text in `activeSelectionContent` and its range in `selection`.",
    sources: [observed("The CLI puts the path and the text before the user's message.")],
  },
  {
    id: "XQ4",
    level: "SHOULD",
    rule: "Without a selection, `selection` is empty and at the cursor, and `activeSelectionContent` is empty.",
    sources: [observed("Then the CLI names the active file alone.")],
  },
  {
    id: "XQ5",
    level: "SHOULD",
    rule: "`openTabs` has the open files.",
    sources: [observed("The CLI lists them before the user's message.")],
  },
  {
    id: "XQ6",
    level: "MUST",
    rule: "A question about an open folder, or one below it, is answered; one about another folder gets the error `no-client-found`.",
    sources: [
      observed(
        "`workspaceRoot` is the CLI's folder by its real path. For this error the CLI has a sentence.",
      ),
    ],
  },
  {
    id: "XQ7",
    level: "MUST",
    rule: "The answer is there within half a second.",
    sources: [observed("The user's message waits for it. After 5 s the CLI sends it without the context.")],
  },
  {
    id: "XQ8",
    level: "SHOULD",
    rule: "`initialize` is answered with a `clientId`.",
    sources: [observed("Older versions ask this first.")],
  },
  {
    id: "XQ9",
    level: "SHOULD",
    rule: "A question of another `version` is answered with an error.",
    sources: [recommended("What it expects is not known.")],
  },
];

const sharing: readonly Requirement[] = [
  {
    id: "XR1",
    level: "MUST",
    rule: "When another program listens at the socket, the companion connects to it, sends `initialize`, and answers its `client-discovery-request`: `canHandle` is true for questions about its folders, and false for all others.",
    sources: [recommended("There is one socket for each user, and every editor wants to answer.")],
  },
  {
    id: "XR2",
    level: "MUST",
    rule: "As such a client it answers the `request` that follows, and all other methods with the error `no-handler-for-request`.",
    sources: [recommended("The program that asked waits otherwise.")],
  },
  {
    id: "XR3",
    level: "MUST",
    rule: "As the owner of the socket it asks its clients about what it cannot answer itself, and passes the request to one that can handle it, and the response back.",
    sources: [recommended("Another editor would be cut off from the CLI.")],
  },
  {
    id: "XR4",
    level: "MUST",
    rule: "It answers nothing but questions about the context.",
    sources: [recommended("Other programs on the socket have their own methods.")],
  },
  {
    id: "XR5",
    level: "SHOULD",
    rule: "As the owner it passes a `broadcast` to all other clients.",
    sources: [recommended("Other programs on the socket depend on them.")],
  },
  {
    id: "XR6",
    level: "MUST",
    rule: "When the owner of the socket ends, the companion listens itself.",
    sources: [observed("The CLI connects again for each question.")],
  },
];

const lifecycle: readonly Requirement[] = [
  {
    id: "XL1",
    level: "MUST",
    rule: "When the companion ends, its socket is gone.",
    sources: [recommended("The CLI would try it first.")],
  },
  {
    id: "XL2",
    level: "MUST",
    rule: "The socket of another program that listens stays.",
    sources: [recommended("Every other editor would lose its CLIs.")],
  },
];

/** The contract of Codex CLI, in the order of docs/reference/codex-cli.md. */
export const rules = createRuleBook({
  socket: { title: "Socket", requirements: socket },
  frames: { title: "Frames", requirements: frames },
  questions: { title: "Questions", requirements: questions },
  sharing: { title: "Sharing the socket", requirements: sharing },
  lifecycle: { title: "Lifecycle", requirements: lifecycle },
});
