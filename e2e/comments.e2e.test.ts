import { delimiter } from "node:path";
import { expect, onTestFinished } from "vitest";
import { startCompanion } from "../packages/companion/src/companion.ts";
import type { CompanionEvent } from "../packages/companion/src/core/events.ts";
import { aComment, MemoryEditor } from "../packages/companion/src/testing/memory-editor.ts";
import { eventually } from "../packages/testkit/src/eventually.ts";
import type { Sandbox } from "../packages/testkit/src/sandbox.ts";
import { type AgentKind, startAgent } from "./harness/agent-cli.ts";
import { gemini } from "./harness/gemini.ts";
import { qwen } from "./harness/qwen.ts";
import { scenario } from "./harness/scenario.ts";

/** A companion in this process, and a CLI in tmux that uses it. */
async function startInTmux(sandbox: Sandbox, kind: AgentKind) {
  const editor = new MemoryEditor();
  const events: CompanionEvent[] = [];
  const host = { tmp: sandbox.tmp, home: sandbox.home, env: {}, delimiter };
  const onEvent = (event: CompanionEvent) => void events.push(event);
  const companion = await startCompanion({ editor, roots: [sandbox.workspace], host, onEvent });
  onTestFinished(() => companion.close());
  const cli = await startAgent(sandbox, kind, { env: companion.env });
  await cli.connected();
  const happened = (kind: CompanionEvent["kind"]) =>
    eventually(() => expect(events.map((event) => event.kind)).toContain(kind));
  return { editor, companion, events, cli, happened };
}

for (const kind of [gemini, qwen]) {
  scenario(
    `comments on a change stand in the prompt of ${kind.displayName} after the decision, and reach the model with Enter`,
    async (sandbox) => {
      const { editor, companion, events, cli, happened } = await startInTmux(sandbox, kind);
      for (const decide of ["reject", "accept"] as const) {
        const path = sandbox.path(`${decide}.txt`);
        await cli.proposeWrite(path, "one\ntwo\n");
        await eventually(() => editor.find(path));
        const asked = cli.model.requests.length;
        editor[decide](path, [
          { ...aComment, quote: "one", text: `Why ${decide}?\nSecond line.` },
          { ...aComment, id: "2", startLine: 2, endLine: 2, quote: "two", text: `And more after ${decide}.` },
        ]);
        await happened("comments-delivered");
        expect(companion.comments.list()).toEqual([]);
        const requests = cli.model.requests.slice(asked);
        expect(
          requests.filter(({ text }) => text.includes(`And more after ${decide}.`)),
          "before Enter",
        ).toEqual([]);
        events.length = 0;
        await cli.submit();
        const { text } = await cli.model.request(`Why ${decide}?`);
        expect(text).toContain(`@${path}:1\n> one\nWhy ${decide}?\nSecond line.`);
        expect(text).toContain(`@${path}:2\n> two\nAnd more after ${decide}.`);
        await cli.terminal.waitFor("Type your message");
      }
    },
  );
}

scenario("comments are not typed into a prompt that holds a text of the user, and wait", async (sandbox) => {
  const { editor, companion, cli, happened } = await startInTmux(sandbox, gemini);
  const path = sandbox.path("a.txt");
  await cli.proposeWrite(path, "one\n");
  await eventually(() => editor.find(path));
  editor.find(path).saveComments([aComment]);
  editor.reject(path);
  await happened("comments-recovered");
  await cli.terminal.waitFor(gemini.rejected);
  await cli.terminal.waitFor("Type your message");
  await cli.terminal.type("a text of mine");
  await cli.terminal.waitFor("> a text of mine");
  const [waiting] = companion.comments.list();
  expect(await companion.sendComments(waiting?.id ?? "")).toBeUndefined();
  expect(await cli.terminal.screen()).not.toContain("Why this?");
  expect(companion.comments.list()).toHaveLength(1);
  await cli.terminal.press("C-u");
  await cli.terminal.waitFor("Type your message");
  expect(await companion.sendComments(waiting?.id ?? "")).toBe("Gemini CLI");
  expect(companion.comments.list()).toEqual([]);
  await cli.submit();
  await cli.model.request("Why this?");
});
