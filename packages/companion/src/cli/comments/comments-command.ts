import { openCommentsFolder } from "../../core/comments/comment.ts";
import { CommentsStore } from "../../core/comments/comments-store.ts";
import { toMessage } from "../../core/comments/message.ts";
import { explainReason } from "../../core/sentences.ts";
import { commentsFolder } from "../../system/host.ts";
import { type Invocation, printResult } from "../invocation.ts";
import {
  type Action,
  act,
  chooseRecord,
  discardRecords,
  linesOfText,
  printRecords,
} from "../terminal/records.ts";
import { toDisplayPath, toDuration } from "../terminal/text.ts";

const wording = { what: "comments", command: "ide-companion comments" };

/** Lists comments that no agent has received, and prints the message that is made of them. No companion needs to run. */
export async function runComments(invocation: Invocation): Promise<number> {
  const { host, err } = invocation;
  const store = new CommentsStore({
    folder: openCommentsFolder(commentsFolder(host)),
    onWarning: (message) => err.line(err.paint.yellow(message)),
  });
  return act(actions, store, invocation);
}

const actions: Readonly<Record<string, Action<CommentsStore>>> = {
  list(store, invocation) {
    const { out, host } = invocation;
    const comments = store.list();
    const rows = comments.map(({ id, filePath, agent, at, reason, comments: { length } }) => {
      const written = `${length} comment${length === 1 ? "" : "s"}, written ${toDuration(Date.now() - at)} ago`;
      return {
        ...{ id, title: toDisplayPath(filePath, host.home) },
        about: [
          out.paint.dim(`${written} on a change by ${agent}`),
          out.paint.plain(explainReason({ reason, agent })),
        ],
      };
    });
    const none = "There are no comments that wait: agents have received all of them.";
    return printRecords({ comments }, rows, none, hints, invocation);
  },
  show(store, invocation) {
    const chosen = chooseRecord(store.list(), invocation.arguments.words[0], wording);
    const message = toMessage(chosen);
    return printResult(invocation, { ...chosen, message }, () => linesOfText(`${message}\n`, invocation.out));
  },
  discard: (store, invocation) => discardRecords(store, wording, invocation),
};

const hints = [
  ["See the message", "ide-companion comments show ID"],
  ["Forget it", "ide-companion comments discard ID"],
] as const;
