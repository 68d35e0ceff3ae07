import { expect } from "vitest";
import { processTree } from "../../packages/testkit/src/process-tree.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { claudeVersions, newestClaude, rejected, startConnectedClaude } from "../harness/claude.ts";
import { startCompanion } from "../harness/companion.ts";
import { before, diffRows, type RowEditor } from "../harness/diff-rows.ts";
import { neovim as neovimProgram } from "../harness/installed.ts";
import { neovim } from "../harness/neovim.ts";
import { openReviewPage, type ProposalView, type ReviewPage } from "../harness/review-page.ts";
import { scenario } from "../harness/scenario.ts";
import { typeLine } from "../harness/terminal.ts";

interface Proposal extends Pick<ProposalView, "edit" | "accept" | "reject"> {
  /** Closes its tab, without a decision. */
  close(): Promise<void>;
}

/** What of an editor these scenarios need. */
interface Shown extends RowEditor {
  proposal(name: string, agent?: string): Promise<Proposal>;
}

const editors = {
  "the review page": async (sandbox: Sandbox): Promise<Shown> => {
    const { page, proposal, nothingWaits } = await startPage(sandbox);
    const close = () => page.getByRole("tab", { selected: true }).click({ button: "middle" });
    return {
      proposal: async (name, agent) => ({ ...(await proposal(name, agent)), close }),
      nothingWaits,
    };
  },
  Neovim: async (sandbox: Sandbox): Promise<Shown> => {
    const editor = await neovim.start(sandbox, [await sandbox.write("open.txt", "")]);
    return {
      async proposal(name) {
        const { replace, accept, reject } = await editor.proposal(name);
        const close = async () => {
          await typeLine(editor.terminal, ":tabclose");
        };
        return { edit: replace, accept, reject, close };
      },
      nothingWaits: editor.nothingWaits,
    };
  },
};

const pairs = claudeVersions.flatMap((version) =>
  Object.entries(editors).map(([name, start]) => ({ version, name, start })),
);

for (const { version, name, start } of pairs) {
  const cliName = `Claude Code ${version}`;
  const needs = name === "Neovim" ? { neovim: neovimProgram } : {};

  const row = diffRows({
    title: `${cliName} in ${name}`,
    needs,
    startEditor: start,
    startCli: (sandbox) => startConnectedClaude(sandbox, version),
    rejected,
  });

  row(
    "accepted with an edit",
    async ({ editor, cli }) => {
      const proposal = await editor.proposal("note.txt");
      await proposal.edit("2nd", "zwei");
      await proposal.accept();
      await cli.finished();
      expect(cli.model.requests.at(-1)?.text).toContain("modified your proposed changes");
    },
    "first\nzwei\n",
  );

  row(
    "closed without a decision",
    async ({ editor, cli }) => {
      await (await editor.proposal("note.txt")).close();
      await cli.terminal.waitFor(rejected);
    },
    before,
  );

  if (version === newestClaude) {
    row(
      "accepted in the terminal, with a text for the model",
      async ({ editor, cli }) => {
        await editor.proposal("note.txt");
        await cli.answerWith("1. Yes", "and thanks");
        await cli.finished();
        expect(cli.model.requests.at(-1)?.text).toContain("and thanks");
      },
      "first\n2nd\n",
    );
  }

  if (version !== "1.0.128") {
    row(
      "rejected in the terminal, with a text for the model",
      async ({ editor, cli }) => {
        await editor.proposal("note.txt");
        await cli.answerWith("3. No", "use words");
        await cli.finished();
        expect(cli.model.requests.at(-1)?.text).toContain("use words");
      },
      before,
    );
  }

  row(
    "accepted while it stands still",
    async ({ editor, cli }) => {
      const proposal = await editor.proposal("note.txt");
      await proposal.edit("2nd", "zwei");
      const all = await processTree(cli.terminal.pid);
      for (const pid of all) process.kill(pid, "SIGSTOP");
      await proposal.accept();
      await editor.nothingWaits();
      for (const pid of all) process.kill(pid, "SIGCONT");
      await cli.finished();
    },
    "first\nzwei\n",
  );

  scenario(
    `${cliName} in ${name}: a new file in a folder that does not exist`,
    async (sandbox) => {
      const editor = await start(sandbox);
      const cli = await startConnectedClaude(sandbox, version);
      await cli.proposeWrite(sandbox.path("not/there/new.txt"), "first\nlast\n");
      await (await editor.proposal("new.txt")).accept();
      await cli.finished();
      // Older ones drop the last line end of a new file.
      const written = version === newestClaude ? "first\nlast\n" : "first\nlast";
      expect(String(await sandbox.read("not/there/new.txt"))).toBe(written);
    },
    { needs },
  );

  scenario(
    `${cliName} in ${name}: a file with CRLF and a byte order mark is as the user accepted it`,
    async (sandbox) => {
      const path = await sandbox.write("crlf.txt", "\ufefffirst\r\nsecond\r\nlast");
      const editor = await start(sandbox);
      const cli = await startConnectedClaude(sandbox, version);
      await cli.proposeEdit(path, "second", "2nd");
      const proposal = await editor.proposal("crlf.txt");
      await proposal.edit("2nd", "zwei");
      await proposal.accept();
      await cli.finished();
      expect(String(await sandbox.read("crlf.txt"))).toBe("\ufefffirst\r\nzwei\r\nlast");
    },
    { needs },
  );
}

async function startPage(sandbox: Sandbox): Promise<ReviewPage> {
  return openReviewPage(sandbox, (await startCompanion(sandbox)).link);
}
