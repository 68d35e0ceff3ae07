import { type AgentName, agentNames, agents as allAgents } from "../../../../agents.ts";
import { isJson, type Notification, parseJson } from "../../../../wire/json-rpc.ts";
import { Broken, byUser, demand, NotRun, quote, textsOf } from "../../../check.ts";
import { answering, nameOf, saidIn, saying } from "../../../fault.ts";
import type { HttpCli, RpcAnswer } from "../../../http-cli.ts";
import { observed, specification } from "../../../requirement.ts";
import { accepted, forgetful, rejected } from "../../faults.ts";
import { closeDiff, openDiff } from "../../wire.ts";
import type { Bench, FamilyGroup } from "../means.ts";

/** The text of an answer. @throws Broken unless it is exactly one */
function textOf({ message }: RpcAnswer): string {
  const [text, ...more] = textsOf(message, "closeDiff");
  if (text !== undefined && more.length === 0) return text;
  throw new Broken(`one text was expected as the answer of closeDiff, got ${quote(message)}`);
}

/** The file's text in such an answer, as it is or in the JSON that some agents want. */
export function closedText(answer: RpcAnswer): string {
  const text = textOf(answer);
  const json = parseJson(text);
  return isJson(json) && typeof json.content === "string" ? json.content : text;
}

const proposed = 'first\n\tsecond "quoted" \\ and {braces}\n{"content": 1}\n';

const jsonReaders = agentNames.filter((agent) => allAgents[agent].readsJsonText);

/** Every outcome that a session received for a file, on any of its streams. */
export function outcomesOf(session: HttpCli, filePath?: string): readonly Notification[] {
  const all = [accepted, rejected, "ide/diffClosed"].flatMap((method) => session.of(method));
  return filePath === undefined ? all : all.filter(({ params }) => params.filePath === filePath);
}

/**
 * Waits for the outcome of a diff.
 * @throws Broken when there is none in time
 */
export async function untilDecided(session: HttpCli, filePath: string): Promise<Notification> {
  const within = session.limits.event;
  const found = await session.stream.find(() => outcomesOf(session, filePath)[0], within);
  if (found) return found;
  const others = outcomesOf(session).map(({ method, params }) => `${method} for ${quote(params.filePath)}`);
  const got = others.length === 0 ? "nothing" : others.join(", ");
  throw new Broken(`no outcome for ${quote(filePath)} came within ${within / 1000} s; there came ${got}`);
}

/** Proposes a text for a new file, by a new CLI. */
export async function propose(
  { connect, write }: Pick<Bench, "connect" | "write">,
  name: string,
  { agent, text = "proposed\n" }: { readonly agent?: AgentName; readonly text?: string } = {},
) {
  const session = await connect({ agent });
  const file = await write(name, "before\n");
  await openDiff(session, file, text);
  return { session, file };
}

/**
 * Decides an open diff: by the user if there is one, else by `closeDiff`, which a rejection follows.
 */
export async function decide(
  { hasEditor, editor }: Bench,
  session: HttpCli,
  filePath: string,
): Promise<void> {
  if (hasEditor) await editor.accept(filePath);
  else await closeDiff(session, filePath, false);
}

/**
 * Decides an open diff and waits for its outcome.
 * @throws NotRun when the kit has no way to decide it
 */
export async function decided(bench: Bench, session: HttpCli, filePath: string): Promise<Notification> {
  await decide(bench, session, filePath);
  return untilDecided(session, filePath).catch((error: Error) => {
    if (bench.hasEditor) throw error;
    throw new NotRun(`no ${rejected} follows closeDiff, and without --editor-command the kit cannot decide`);
  });
}

export const closingRules: FamilyGroup = {
  P3: {
    MUST: "`openDiff` is answered at once, before the user decides, with `content: []`.",
    sources: specification("III", "The tool MUST answer immediately, and with empty content on success."),
    check: "open-diff-answer",
    lane: "proposals",
    async run({ connect, agents, path }) {
      for (const agent of agents) {
        const session = await connect({ agent });
        const file = path(`${agent}.txt`);
        const { result, message } = await session.call("openDiff", {
          filePath: file,
          newContent: "proposed\n",
        });
        const isEmpty =
          Array.isArray(result?.content) && result.content.length === 0 && result.isError !== true;
        demand(isEmpty, `content: [] was expected, got ${quote(message)}`);
      }
    },
    fault: { down: saying("openDiff", () => ["opened"]), says: /content: \[\] was expected/ },
  },
  P5: {
    MUST: "`closeDiff` is answered with one text: the final content, the user's edits included.",
    sources: specification(
      "III",
      "The answer MUST include a single text with the final content before closing.",
    ),
    check: "close-diff-text",
    lane: "proposals",
    async run({ connect, agents, write }) {
      for (const agent of agents) {
        const { session, file } = await propose({ connect, write }, `${agent}.txt`, {
          agent,
          text: proposed,
        });
        const text = closedText(await closeDiff(session, file));
        demand(text === proposed, `${quote(proposed)} was proposed, ${quote(text)} answered to ${session}`);
      }
    },
    fault: {
      down: saying("closeDiff", () => ["before\n"]),
      says: /"before\\n" answered to Gemini CLI/,
    },
    more: [
      {
        check: "closed-edits",
        title: "what closeDiff answers holds the user's edits",
        ...byUser,
        async run({ connect, editor, write }) {
          const { session, file } = await propose({ connect, write }, "edited.txt");
          await editor.edit(file, "edited\n");
          const text = closedText(await closeDiff(session, file));
          demand(
            text === "edited\n",
            `the user has made it "edited\\n", closeDiff was answered with ${quote(text)}`,
          );
        },
        fault: { ...forgetful, says: /the user has made it "edited\\n"/ },
      },
    ],
  },
  P6: {
    agent: "gemini",
    SHOULD: 'Gemini CLI gets that text as JSON, `{"content": "…"}`.',
    sources: observed("It takes it in this form only; otherwise the user's edits are lost."),
    check: "close-diff-json",
    title: `${jsonReaders.map((agent) => allAgents[agent].title).join(" and ")} gets the text as JSON`,
    lane: "proposals",
    async run({ connect, agents, path }) {
      for (const agent of jsonReaders.filter((reader) => agents.includes(reader))) {
        const session = await connect({ agent });
        const file = path(`${agent}.txt`);
        await openDiff(session, file, proposed);
        const text = textOf(await closeDiff(session, file));
        const json = parseJson(text);
        demand(
          isJson(json) && json.content === proposed,
          `{"content": …} was expected, got ${quote(text)}: the user's edits would be lost`,
        );
      }
    },
    fault: {
      down: (message, _, asked) => {
        const json = nameOf(asked) === "closeDiff" && parseJson(saidIn(message)[0] ?? "");
        return isJson(json) ? answering(asked, String(json.content)) : message;
      },
      says: /the user's edits would be lost/,
    },
  },
};
