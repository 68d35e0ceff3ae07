import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { EditorFailed } from "../../../../target/editor-hook.ts";
import { byUser, demand, demandNone, quote } from "../../../check.ts";
import { changing } from "../../../fault.ts";
import type { HttpCli } from "../../../http-cli.ts";
import { observed, specification } from "../../../requirement.ts";
import { accepted, before, forgetful, neverRejecting, outcome, proposing, rejected } from "../../faults.ts";
import { closeDiff, openDiff } from "../../wire.ts";
import type { Bench, FamilyGroup } from "../means.ts";
import { closedText, outcomesOf, propose, untilDecided } from "./closing.ts";

/** Texts that some editors or protocols change. The CLIs themselves send LF only. */
const delicate: readonly (readonly [what: string, text: string])[] = [
  ["a missing last newline", "first\nlast"],
  ["empty lines at the end", "first\n\n\n"],
  ["a byte order mark", "\uFEFFfirst\nlast\n"],
  ["CRLF", "first\r\nlast\r\n"],
  ["blanks at the ends of lines", "first  \n\tlast\t\n"],
  ["characters beyond the first plane", "a😀b 𝒳\ne\u0301 \u200D \u00A0\n"],
];

/** What changes in delicate texts on their way through a diff. @param end ends it, and gives the text that came back */
async function problemsOfDelicate(
  { connect, write }: Bench,
  end: (session: HttpCli, file: string) => Promise<unknown>,
): Promise<readonly string[]> {
  const session = await connect();
  const problems: string[] = [];
  for (const [index, [what, proposed]] of delicate.entries()) {
    const file = await write(`delicate-${index}.txt`, "before\n");
    await openDiff(session, file, proposed);
    const text = await end(session, file);
    if (text !== proposed) problems.push(`with ${what}, ${quote(proposed)} came back as ${quote(text)}`);
  }
  return problems;
}

export const decisionsRules: FamilyGroup = {
  P8: {
    MUST: "`ide/diffAccepted` follows when the user accepts, with the final text, their edits included.",
    sources: specification("III", "The companion MUST send it, with the file's path and its final content."),
    check: "acceptance",
    ...byUser,
    async run({ connect, editor, agents, write }) {
      for (const agent of agents) {
        const { session, file } = await propose({ connect, write }, `${agent}.txt`, {
          agent,
          text: "first\n2nd\n",
        });
        await editor.edit(file, "first\nzwei\n");
        await editor.accept(file);
        const { method, params } = await untilDecided(session, file);
        demand(method === accepted, `the user has accepted, ${method} came`);
        demand(
          params.content === "first\nzwei\n",
          `the user has made it "first\\nzwei\\n", ${quote(params.content)} came`,
        );
      }
    },
    fault: { ...forgetful, says: /the user has made it "first\\nzwei\\n", "first\\n2nd\\n" came/ },
  },
  P9: {
    MUST: "`ide/diffRejected` follows when the user rejects.",
    sources: specification("III", "The companion MUST send it, with the file's path."),
    check: "rejection",
    ...byUser,
    async run({ connect, editor, agents, write }) {
      for (const agent of agents) {
        const { session, file } = await propose({ connect, write }, `${agent}.txt`, { agent });
        await editor.reject(file);
        const { method } = await untilDecided(session, file);
        demand(method === rejected, `the user has rejected, ${method} came`);
      }
    },
    fault: { ...neverRejecting, says: /no outcome for .* came/ },
  },
  P10: {
    MUST: "Closing the diff without a decision rejects it.",
    sources: specification("III", "Closing the view without accepting is the example of a rejection."),
    check: "closed-view",
    ...byUser,
    async run({ connect, editor, write }) {
      const { session, file } = await propose({ connect, write }, "dismissed.txt");
      await editor.close(file);
      const { method } = await untilDecided(session, file);
      demand(method !== accepted, "the user has closed the view, and that was reported as accepted");
    },
    fault: { ...neverRejecting, says: /no outcome for .* came/ },
  },
  P21: {
    MUST: "The companion does not write the file when the user accepts.",
    sources: observed(
      "The CLI writes it. If both write, another version, a newline or other line ends may remain.",
    ),
    check: "not-written",
    ...byUser,
    async run({ connect, editor, write, limits }) {
      const { session, file } = await propose({ connect, write }, "the-clis.txt");
      await editor.accept(file);
      await untilDecided(session, file);
      await session.stream.listen(limits.quiet);
      const text = await readFile(file, "utf8");
      demand(
        text === "before\n",
        `after the acceptance the file holds ${quote(text)}, and no CLI has written it`,
      );
    },
    fault: {
      down: changing(accepted, (params) => {
        writeFileSync(String(params.filePath), String(params.content));
        return params;
      }),
      says: /no CLI has written it/,
    },
  },
  P22: {
    MUST: "A text comes back byte for byte: line ends, a byte order mark, a missing last newline.",
    sources: specification("III", "`content` is the full content of the file after acceptance."),
    check: "exact-closed",
    lane: "proposals",
    async run(bench) {
      const close = async (session: HttpCli, file: string) => closedText(await closeDiff(session, file));
      demandNone(await problemsOfDelicate(bench, close));
    },
    fault: { up: proposing((text) => text.replace(/\n*$/, "\n")), says: /with a missing last newline/ },
    more: [
      {
        check: "exact-accepted",
        title: "an unedited text is accepted byte for byte",
        ...byUser,
        async run(bench) {
          const accept = async (session: HttpCli, file: string) => {
            await bench.editor.accept(file);
            return (await untilDecided(session, file)).params.content;
          };
          demandNone(await problemsOfDelicate(bench, accept));
        },
        fault: { up: proposing((text) => text.replace(/\r\n/g, "\n")), says: /with CRLF/ },
      },
    ],
  },
  P23: {
    SHOULD: "An empty text is not sent as accepted.",
    sources: observed("Both CLIs ignore it and write the model's text: inform the user instead."),
    check: "empty-text",
    ...byUser,
    async run({ connect, editor, write, limits, note }) {
      const { session, file } = await propose({ connect, write }, "emptied.txt");
      await editor.edit(file, "");
      await editor.accept(file).catch((error: unknown) => {
        if (!(error instanceof EditorFailed)) throw error;
        note(`The editor refuses: ${error.message}`);
      });
      await session.stream.listen(limits.quiet);
      const empty = outcomesOf(session, file).some(
        ({ method, params }) => method === accepted && params.content === "",
      );
      demand(!empty, `${accepted} with content "" came: the CLI will write its own text`);
    },
    fault: {
      up: before("openDiff", ({ filePath }, { tell }) => tell(outcome(accepted, { filePath, content: "" }))),
      says: /with content "" came/,
    },
  },
};
