import { expect } from "vitest";
import { aComment } from "../../packages/companion/src/testing/memory-editor.ts";
import { eventually } from "../../packages/testkit/src/eventually.ts";
import {
  awaitClaudes,
  claudeVersions,
  installClaude,
  newestClaude,
  rejected,
  startClaude,
} from "../harness/claude.ts";
import { commentsInTerminal } from "../harness/comments-in-terminal.ts";
import { commentsRow, startCompanionHere } from "../harness/comments-row.ts";
import { pathWithCommand } from "../harness/editor.ts";
import { callCommand } from "../harness/installation.ts";
import { editorsWithTerminals } from "../harness/own-terminals.ts";
import { programInPath } from "../harness/path-to.ts";
import { scenario } from "../harness/scenario.ts";

for (const version of claudeVersions) {
  commentsRow(`Claude Code ${version}`, async (sandbox, env) => {
    const { proposeWrite: propose, ...cli } = await startClaude(sandbox, { version, env });
    return { ...cli, propose, rejected: async () => void (await cli.terminal.waitFor(rejected)) };
  });
}

scenario(
  "Claude Code reads comments by its hook without a prompt, and goes on after a rejection",
  async (sandbox) => {
    const { editor, companion, events, happened } = await startCompanionHere(sandbox);
    await callCommand(sandbox, "install", "--yes", "claude");
    const env = { ...companion.env, PATH: await pathWithCommand(sandbox) };
    const cli = await startClaude(sandbox, { version: newestClaude, env });
    await cli.ready();
    await happened("stream-opened");
    for (const decide of ["reject", "accept"] as const) {
      const path = sandbox.path(`${decide}.txt`);
      await cli.proposeWrite(path, "one\ntwo\n");
      await eventually(() => editor.find(path));
      // Its hook starts with the question.
      await cli.terminal.waitFor(/Do you want to/);
      await new Promise((resolve) => setTimeout(resolve, 1000));
      editor[decide](path, [{ ...aComment, quote: "one", text: `Why ${decide}?` }]);
      const { text } = await cli.model.request(`Why ${decide}?`);
      expect(text).toContain(`I ${decide}ed your change`);
      await happened("comments-delivered");
      expect(events.find(({ kind }) => kind === "comments-delivered")).toMatchObject({ by: "outcome" });
      expect(await sandbox.read(`${decide}.txt`)).toEqual(
        decide === "accept" ? Buffer.from("one\ntwo\n") : undefined,
      );
      events.length = 0;
      await cli.ready();
    }
  },
);

for (const editor of editorsWithTerminals) {
  commentsInTerminal(editor, {
    name: "claude",
    displayName: "Claude Code",
    async start(sandbox, options) {
      // A version that would ask for nothing shows no diff.
      const program = [...(await installClaude(newestClaude)), "--permission-mode", "default"];
      await programInPath(sandbox, "claude", program);
      const { proposeWrite: propose, ...cli } = await startClaude(sandbox, {
        ...options,
        version: newestClaude,
      });
      return { ...cli, propose, connected: () => awaitClaudes(sandbox) };
    },
  });
}
