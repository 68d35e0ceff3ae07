import { z } from "zod";
import { WrittenHunk } from "./written-messages.ts";

const ListName = z
  .enum(["waiting", "written", "edits", "history", "comments"])
  .describe(
    "`waiting`: the proposals that you show; `written`: what agents wrote without asking and the user has not kept; `edits`: what the user typed in proposals and no file holds; `history`: what was decided about files of the open folders; `comments`: what no agent has received.",
  );

const ActionCode = z
  .enum([
    ...["accept", "reject", "accept-agent", "accept-ahead", "stop-ahead"],
    ...["show", "keep", "revert", "restore", "undo", "reapply", "send", "copy", "discard"],
  ] as const)
  .describe(
    "`accept` and `reject` decide, `accept-agent` about all of its agent; `accept-ahead` accepts the rest of its turn, until it ends or `stop-ahead`; `show` compares texts; `keep` takes what an agent wrote off its list, and `revert` out of its file; `restore` puts the user's text into its file; `undo` takes an accepted change out of its file, `reapply` puts a change in afterwards; `send` puts comments into an agent's prompt.",
  );

const Row = z.object({
  id: z.string().describe("Names it in its list, also after a restart."),
  agent: z.string().describe("For people."),
  filePath: z.string(),
  label: z.string().describe("The file for people."),
  at: z.number().describe("When it came, the text was typed, or it was decided, in milliseconds since 1970."),
  text: z
    .string()
    .describe("For people: its size and place in its turn, why it is in the list, or the outcome."),
  detail: z.string().exactOptional().describe("All of it, for people who ask."),
  hunks: z
    .array(
      WrittenHunk.pick({ id: true, line: true }).extend({
        text: z.string().describe("For people: `+3 −1 Gemini CLI: Count`."),
      }),
    )
    .exactOptional()
    .describe(
      "Of `written`, where it is in the file as it is now, or in your buffer; absent where nothing of it can be shown there. Of `waiting`, the first one in the proposed text.",
    ),
  actions: z
    .array(
      z.object({
        code: ActionCode,
        name: z.string().describe("What it does, for people: `restores`."),
      }),
    )
    .describe("What can be done with it; `show` comes first."),
});

/** What the user is to hear. */
export const saidFacts = {
  message: z.string().describe("A sentence for the user; `{place}` in it stands for where `copy` is."),
  copy: z.string().exactOptional().describe("Put this on the clipboard."),
};

/**
 * What a plugin and the frontend say to each other about what waits, and about what the companion stores.
 * @see docs/reference/protocol.md
 */
export const listMessages = {
  list: {
    method: "companion/list",
    params: z.object({
      list: ListName,
      wanted: z.string().exactOptional().describe("Only rows whose file, agent or text holds it."),
    }),
    answer: z.object({
      title: z.string(),
      none: z.string().describe("What to say when there is no row."),
      rows: z
        .array(Row)
        .describe("Newest first, and of `waiting` oldest first; 200 at most, of `written` 2000."),
    }),
  },
  act: {
    method: "companion/act",
    params: z.object({
      list: ListName,
      id: z.string().describe("Of a row; empty to accept or reject all of `waiting`, and to stop."),
      action: ActionCode,
      stopAt: z
        .array(z.string())
        .exactOptional()
        .describe("Of `accept-ahead`, patterns as in a `.gitignore`: these files wait for the user."),
      sure: z.boolean().exactOptional().describe("The user has been asked."),
    }),
    answer: z.object({
      ask: z
        .object({
          question: z.string().describe("Perhaps several lines: what it is about, by name."),
          yes: z.string().describe("The answer that goes on: `Accept`."),
        })
        .exactOptional()
        .describe("Nothing is done yet: ask this, and send the same with `sure`."),
      decide: z
        .object({ accept: z.boolean(), ids: z.array(z.string()) })
        .exactOptional()
        .describe("Send your decision about each of these, with the text and the comments that it has."),
      next: ActionCode.exactOptional().describe("Show the way to this action as well."),
      message: z
        .string()
        .exactOptional()
        .describe("A sentence for the user; `{place}` in it stands for where `copy` is."),
      agent: z.string().exactOptional().describe("Whose prompt has the comments, for people."),
      compare: z
        .object({
          label: z.string().describe("The file for people."),
          patch: z.string().describe("A unified diff, or a sentence when there is no difference."),
        })
        .exactOptional()
        .describe("Show it, and offer the other actions of the row there."),
      put: z
        .object({
          filePath: z.string(),
          content: z.string(),
          what: z.string().describe("For people: `your version`."),
          onlySaved: z
            .boolean()
            .describe("Not into a buffer with unsaved changes: they are not in `content`."),
        })
        .exactOptional()
        .describe("Put this text into the file's buffer as one unsaved change, so that the user saves it."),
      copy: saidFacts.copy,
      removed: z.boolean().exactOptional().describe("It is in the list no more: close what shows it."),
    }),
  },
  news: {
    method: "companion/news",
    params: z.object({
      severity: z.enum(["warning", "info"]),
      text: saidFacts.message,
      list: z
        .enum([...ListName.options, "page"])
        .exactOptional()
        .describe("Show the way to this list, or to the review page."),
      row: Row.exactOptional().describe("The row that it is about."),
      copy: saidFacts.copy,
    }),
  },
} as const;

/** The lists of what the companion stores. */
export type StoredName = Exclude<z.infer<typeof ListName>, "waiting">;
export type ActionCode = z.infer<typeof ActionCode>;
export type Row = z.infer<typeof Row>;
export type Act = z.infer<typeof listMessages.act.params>;
export type Effect = z.infer<typeof listMessages.act.answer>;
export type News = z.infer<typeof listMessages.news.params>;
