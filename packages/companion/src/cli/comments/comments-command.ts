import { openCommentsFolder, type RecoveredComments } from "../../core/comments/comment.ts";
import { CommentsStore } from "../../core/comments/comments-store.ts";
import { toMessage } from "../../core/comments/message.ts";
import { explainReason } from "../../core/sentences.ts";
import { commentsFolder } from "../../system/host.ts";
import { commentsVerbs } from "../commands/verbs.ts";
import { exitCodes, type Invocation } from "../invocation.ts";
import { chooseRecord, discardRecords, parseVerb, printText } from "../terminal/records.ts";
import { toDisplayPath, toDuration } from "../terminal/text.ts";

const wording = { what: "comments", command: "ide-companion comments" };

/** Lists comments that no agent has received, and prints the message that is made of them. No companion needs to run. */
export async function runComments(invocation: Invocation): Promise<number> {
  const { arguments: given, host, out, err } = invocation;
  const { verb, words } = parseVerb(given, commentsVerbs, {
    command: "comments",
    words: { list: 0, show: 1, discard: Number.POSITIVE_INFINITY },
    options: { all: ["discard"] },
  });
  const store = new CommentsStore({
    folder: openCommentsFolder(commentsFolder(host)),
    onWarning: (message) => err.line(err.paint.yellow(message)),
  });
  if (verb === "discard") return discardRecords(store, words, wording, invocation);
  const all = store.list();
  if (verb === "show") {
    const chosen = chooseRecord(all, words[0], wording);
    if (given.has("json")) out.line(JSON.stringify({ ...chosen, message: toMessage(chosen) }, null, 2));
    else printText(`${toMessage(chosen)}\n`, out);
  } else if (given.has("json")) out.line(JSON.stringify({ comments: all }, null, 2));
  else for (const line of describeList(all, invocation)) out.line(line);
  return exitCodes.ok;
}

function describeList(
  all: readonly RecoveredComments[],
  { out: { paint }, host: { home } }: Pick<Invocation, "out" | "host">,
): readonly string[] {
  if (all.length === 0) return ["There are no comments that wait: agents have received all of them."];
  return [
    ...all.flatMap(({ id, filePath, agent, at, reason, comments }) => [
      `${paint.cyan(id)}  ${paint.bold(toDisplayPath(filePath, home))}`,
      `          ${paint.dim(`${comments.length === 1 ? "1 comment" : `${comments.length} comments`}, written ${toDuration(Date.now() - at)} ago on a change by ${agent}`)}`,
      `          ${paint.plain(explainReason({ reason, agent }))}`,
    ]),
    "",
    `See the message: ${paint.bold("ide-companion comments show ID")}`,
    `Forget it: ${paint.bold("ide-companion comments discard ID")}`,
  ];
}
