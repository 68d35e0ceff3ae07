import { readFile } from "node:fs/promises";
import { EditorFailed } from "../../../../target/editor-hook.ts";
import { demand, demandNone } from "../../../check.ts";
import type { Check } from "../means.ts";
import { accepted, closedText, outcomesOf, rejected, untilDecided } from "./closing.ts";

export const acceptance: Check = {
  id: "acceptance",
  title: "an accepted diff is reported, with the user's edits",
  requirements: ["P8"],
  lane: "editor",
  needs: ["editor-command"],
  async run({ wire, editor, agents, write, limits }) {
    for (const agent of agents) {
      const session = await wire.connect({ agent });
      const file = await write(`${agent}.txt`, "first\nsecond\n");
      await session.openDiff(file, "first\n2nd\n");
      await editor.edit(file, "first\nzwei\n");
      await editor.accept(file);
      const { method, params } = await untilDecided(session, file, limits.event);
      demand(method === accepted, `the user has accepted, ${method} came`);
      demand(
        params.content === "first\nzwei\n",
        `the user has made it "first\\nzwei\\n", ${JSON.stringify(params.content)} came`,
      );
    }
  },
};

export const rejection: Check = {
  id: "rejection",
  title: "a rejected diff is reported",
  requirements: ["P9"],
  lane: "editor",
  needs: ["editor-command"],
  async run({ wire, editor, agents, write, limits }) {
    for (const agent of agents) {
      const session = await wire.connect({ agent });
      const file = await write(`${agent}.txt`, "first\n");
      await session.openDiff(file, "proposed\n");
      await editor.reject(file);
      const { method } = await untilDecided(session, file, limits.event);
      demand(method === rejected, `the user has rejected, ${method} came`);
    }
  },
};

export const closedView: Check = {
  id: "closed-view",
  title: "closing the diff's view rejects it",
  requirements: ["P10"],
  lane: "editor",
  needs: ["editor-command"],
  async run({ wire, editor, write, limits }) {
    const session = await wire.connect();
    const file = await write("dismissed.txt", "first\n");
    await session.openDiff(file, "proposed\n");
    await editor.close(file);
    const { method } = await untilDecided(session, file, limits.event);
    demand(method !== accepted, "the user has closed the view, and that was reported as accepted");
  },
};

export const notWritten: Check = {
  id: "not-written",
  title: "the companion leaves the file to the CLI",
  requirements: ["P21"],
  lane: "editor",
  needs: ["editor-command"],
  async run({ wire, editor, write, limits }) {
    const session = await wire.connect();
    const file = await write("the-clis.txt", "before\n");
    await session.openDiff(file, "proposed\n");
    await editor.accept(file);
    await untilDecided(session, file, limits.event);
    await session.stream.listen(limits.quiet);
    const text = await readFile(file, "utf8");
    demand(
      text === "before\n",
      `after the acceptance the file holds ${JSON.stringify(text)}, and no CLI has written it`,
    );
  },
};

export const emptyText: Check = {
  id: "empty-text",
  title: "an empty text is not sent as accepted",
  requirements: ["P23"],
  lane: "editor",
  needs: ["editor-command"],
  async run({ wire, editor, write, limits, note }) {
    const session = await wire.connect();
    const file = await write("emptied.txt", "before\n");
    await session.openDiff(file, "proposed\n");
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
};

/** Texts that some editors or protocols change. The CLIs themselves send LF only. */
const delicate: readonly (readonly [what: string, text: string])[] = [
  ["a missing last newline", "first\nlast"],
  ["empty lines at the end", "first\n\n\n"],
  ["a byte order mark", "\uFEFFfirst\nlast\n"],
  ["CRLF", "first\r\nlast\r\n"],
  ["blanks at the ends of lines", "first  \n\tlast\t\n"],
  ["characters beyond the first plane", "a😀b 𝒳\ne\u0301 \u200D \u00A0\n"],
];

export const exactClosed: Check = {
  id: "exact-closed",
  title: "an unedited text comes back byte for byte from closeDiff",
  requirements: ["P22"],
  lane: "proposals",
  async run({ wire, write }) {
    const session = await wire.connect();
    const problems: string[] = [];
    for (const [index, [what, proposed]] of delicate.entries()) {
      const file = await write(`closed-${index}.txt`, "before\n");
      await session.openDiff(file, proposed);
      const text = closedText(await session.closeDiff(file));
      if (text !== proposed)
        problems.push(`with ${what}, ${JSON.stringify(proposed)} came back as ${JSON.stringify(text)}`);
    }
    demandNone(problems);
  },
};

export const exactAccepted: Check = {
  id: "exact-accepted",
  title: "an unedited text is accepted byte for byte",
  requirements: ["P22"],
  lane: "editor",
  needs: ["editor-command"],
  async run({ wire, editor, write, limits }) {
    const session = await wire.connect();
    const problems: string[] = [];
    for (const [index, [what, proposed]] of delicate.entries()) {
      const file = await write(`accepted-${index}.txt`, "before\n");
      await session.openDiff(file, proposed);
      await editor.accept(file);
      const { params } = await untilDecided(session, file, limits.event);
      if (params.content !== proposed) {
        problems.push(
          `with ${what}, ${JSON.stringify(proposed)} came back as ${JSON.stringify(params.content)}`,
        );
      }
    }
    demandNone(problems);
  },
};
