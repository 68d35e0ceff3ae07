import { join } from "node:path";
import { privateFolder } from "../../../testkit/src/private-folder.ts";
import { Change } from "../core/changes/change.ts";
import { openCommentsFolder } from "../core/comments/comment.ts";
import { CommentsStore } from "../core/comments/comments-store.ts";
import type { Comment, Decision, DecisionResult, Editor, Proposal, Rebase } from "../core/editor.ts";
import { EditsStore } from "../core/edits/edits-store.ts";
import { openEditsFolder } from "../core/edits/recovered-edits.ts";

interface Stores {
  readonly edits: EditsStore;
  readonly comments: CommentsStore;
}

function createStores(): Stores {
  const folder = privateFolder();
  return {
    edits: new EditsStore({ folder: openEditsFolder(join(folder, "edits")) }),
    comments: new CommentsStore({ folder: openCommentsFolder(join(folder, "comments")) }),
  };
}

/** A decision, and the text that is accepted by it. */
export type Decided = Decision & { readonly content?: string };

/** A change without a companion: the test hears what an editor reports of it, and answers the decision. */
export function createTestChange(
  proposal: Proposal,
  decide: (decision: Decided) => DecisionResult = () => ({ taken: true }),
  onText: (text: string) => unknown = () => {},
  onComments: (comments: readonly Comment[]) => unknown = () => {},
  { edits, comments }: Stores = createStores(),
): Change {
  const { sessionId: id, agent, base: file } = proposal;
  const change = new Change({
    ...{ key: proposal.filePath, proposal, now: { file, stamp: "", isFresh: false } },
    owner: { id, agent, isOver: false, deliver: () => {} },
    draft: edits.draftOf(proposal),
    remarks: comments.draftOf(proposal),
    actions: {
      decide: (_, decision) => {
        const accepted = decision.kind === "accepted" && { content: change.text };
        const result = decide({ ...decision, ...accepted });
        if (result.taken) change.end();
        return result;
      },
      keepLate: (_, text) => {
        change.late ??= edits.draftOf(proposal);
        change.late.save(text);
      },
    },
  });
  const { write, saveComments } = change;
  change.write = (text) => {
    if (text !== change.text) onText(text);
    write.call(change, text);
  };
  change.saveComments = (list) => {
    onComments(list);
    saveComments.call(change, list);
  };
  return change;
}

/** Shows a change against its file as it is now, as the companion does. @returns its text then */
export async function rebaseTestChange(
  editor: Pick<Editor, "update">,
  change: Change,
  rebase: Rebase,
): Promise<string> {
  const { proposal, text, state } = rebase;
  const take = () => {
    change.state = state;
    change.rebase(proposal, text);
  };
  await change.offer({ text, take }, () => editor.update(change, rebase));
  return change.text;
}
