import { delimiter } from "node:path";
import { expect, onTestFinished } from "vitest";
import { startCompanion } from "../../packages/companion/src/companion.ts";
import type { CompanionEvent } from "../../packages/companion/src/core/events.ts";
import { aComment, MemoryEditor } from "../../packages/companion/src/testing/memory-editor.ts";
import { eventually } from "../../packages/testkit/src/eventually.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import type { Model } from "./model.ts";
import { type ScenarioOptions, scenario } from "./scenario.ts";
import { pressUntil, type Terminal } from "./terminal.ts";

/** What of a CLI in tmux is needed. */
interface CommentedCli {
  readonly terminal: Terminal;
  readonly model: Model;
  ready(): Promise<void>;
  /** Lets the model write a new file. */
  propose(path: string, content: string): Promise<void>;
  /** Waits until it has taken a rejection. */
  rejected(): Promise<void>;
}

/** Comments stand in the CLI's prompt after the decision, unsent, but not in one that holds a text of the user. */
export function commentsRow(
  name: string,
  startCli: (sandbox: Sandbox, env: Readonly<Record<string, string>>) => Promise<CommentedCli>,
  options: Pick<ScenarioOptions, "matrix"> = {},
): void {
  scenario(
    `comments on a change stand in the prompt of ${name}, and reach the model with Enter`,
    async (sandbox) => {
      const { editor, companion, events, happened } = await startCompanionHere(sandbox);
      const cli = await startCli(sandbox, companion.env);
      await cli.ready();
      await happened("stream-opened");
      for (const decide of ["reject", "accept"] as const) {
        const path = sandbox.path(`${decide}.txt`);
        await cli.propose(path, "one\ntwo\n");
        await eventually(() => editor.find(path));
        const asked = cli.model.requests.length;
        editor[decide](path, [
          { ...aComment, quote: "one", text: `Why ${decide}?\nSecond line.` },
          { ...aComment, id: "2", startLine: 2, endLine: 2, quote: "two", text: `And after ${decide}.` },
        ]);
        await happened("comments-delivered");
        expect(companion.comments.list()).toEqual([]);
        const sent = () =>
          cli.model.requests.slice(asked).filter(({ text }) => text.includes(`Why ${decide}?`));
        expect(sent(), "before Enter").toEqual([]);
        events.length = 0;
        await pressUntil(cli.terminal, "Enter", () => sent().length > 0);
        const { text } = await cli.model.request(`Why ${decide}?`);
        // In one line where tmux does not tell of pastes.
        const words = text.replaceAll(/\s+/g, " ");
        expect(words).toContain(`@${path}:1 > one Why ${decide}? Second line.`);
        expect(words).toContain(`@${path}:2 > two And after ${decide}.`);
        await cli.ready();
      }
    },
    options,
  );

  scenario(
    `comments are not typed into a prompt of ${name} that holds a text of the user, and wait`,
    async (sandbox) => {
      const { editor, companion, happened } = await startCompanionHere(sandbox);
      const cli = await startCli(sandbox, companion.env);
      await cli.ready();
      await happened("stream-opened");
      const path = sandbox.path("a.txt");
      await cli.propose(path, "one\n");
      await eventually(() => editor.find(path));
      editor.find(path).change.saveComments([aComment]);
      editor.reject(path);
      await happened("comments-recovered");
      await cli.rejected();
      await cli.terminal.type("a text of mine");
      await cli.terminal.waitFor("a text of mine");
      const [waiting] = companion.comments.list();
      expect(await companion.sendComments(waiting?.id ?? "")).toBeUndefined();
      expect(await cli.terminal.screen()).toContain("a text of mine");
      await cli.terminal.press("C-u");
      await cli.terminal.waitForNo("a text of mine");
      expect(await companion.sendComments(waiting?.id ?? "")).toBe(name.replace(/ \d.*/, ""));
      expect(companion.comments.list()).toEqual([]);
      await pressUntil(cli.terminal, "Enter", () =>
        cli.model.requests.some(({ text }) => text.includes("Why this?")),
      );
    },
    options,
  );
}

/** A companion in this process, whose editor is in memory. */
export async function startCompanionHere({ tmp, home, workspace }: Sandbox) {
  const editor = new MemoryEditor();
  const events: CompanionEvent[] = [];
  const host = { tmp, home, env: {}, delimiter };
  const onEvent = (event: CompanionEvent) => void events.push(event);
  const companion = await startCompanion({ editor, roots: [workspace], host, onEvent });
  onTestFinished(() => companion.close());
  const happened = (kind: CompanionEvent["kind"]) =>
    eventually(() => expect(events.map((event) => event.kind)).toContain(kind));
  return { editor, companion, events, happened };
}
