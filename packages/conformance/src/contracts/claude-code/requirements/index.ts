import { createRuleBook } from "../../requirement.ts";
import { discovery, lifecycle } from "./around.ts";
import { diffs } from "./diffs.ts";
import { messages, socket } from "./socket.ts";
import { context, diagnostics } from "./state.ts";

/** The contract of Claude Code, in the order of docs/reference/claude-code.md. */
export const rules = createRuleBook({
  discovery: { title: "Discovery", requirements: discovery },
  socket: { title: "Socket", requirements: socket },
  messages: { title: "Messages", requirements: messages },
  diffs: { title: "Diffs", requirements: diffs },
  context: { title: "Context", requirements: context },
  diagnostics: { title: "Diagnostics", requirements: diagnostics },
  lifecycle: { title: "Lifecycle", requirements: lifecycle },
});
