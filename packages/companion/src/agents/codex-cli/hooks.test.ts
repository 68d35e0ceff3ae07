import { expect, test } from "vitest";
import { agentHooks } from "../agent-hooks.ts";
import { type AgentHooks, toHookEntries } from "../hooks.ts";

const codexHooks = agentHooks.codex as AgentHooks;

/** Command lines as a system lists them. */
test.each([
  ["codex", true],
  ["/usr/bin/codex --yolo -m gpt-5.2-codex", true],
  ["codex exec --yolo x", false],
  ["codex -c model=x e x", false],
  ["codex --search review", false],
  ["codex resume --last", true],
])("a user sits at the terminal of %s: %s", (command, isAttended) => {
  const cli = { pid: 1, command, hasTerminal: true };
  expect(codexHooks.ask?.isAttended(cli, {})).toBe(isAttended);
  expect(codexHooks.ask?.isAttended({ ...cli, hasTerminal: false }, {})).toBe(false);
});

test("a prompt that speaks of the service has no user", () => {
  const command = "codex exec restart the app-server now";
  expect(codexHooks.ask?.isAttended({ pid: 1, command, hasTerminal: false }, {})).toBe(false);
});

test("the service that terminals share has none, and has a user", () => {
  const command = "/home/a/.codex/packages/bin/codex app-server --listen unix:// --managed-daemon";
  expect(codexHooks.ask?.isAttended({ pid: 1, command, hasTerminal: false }, {})).toBe(true);
});

test("a patch may wait for a day, and its question for as long as any other hook", () => {
  const entries = toHookEntries("codex", codexHooks, "linux");
  const find = (name: string) => entries.find(({ event }) => event === name)?.entry;
  expect(find("PreToolUse")).toMatchObject({ hooks: [{ timeout: 86_410 }] });
  expect(find("PermissionRequest")).toMatchObject({ matcher: "apply_patch|Bash", hooks: [{ timeout: 10 }] });
});

test("a patch of one file is answered with the user's text, unless a patch cannot write that", () => {
  const { ask } = codexHooks;
  const change = (head: string, before: string, text: string) => {
    const command = `*** Begin Patch\n${head}\n+x\n*** End Patch`;
    const answer = "hold" in ask ? ask.hold.change?.({ command }, before, text, "\n") : undefined;
    return JSON.stringify(answer)
      ?.match(/Patch\\n(.*)\\n\*\*\* End/)?.[1]
      ?.split("\\n");
  };
  const update = "*** Update File: a.txt";
  expect(change(`${update}\n@@\n`, "one\n\ntwo", "1\n\n")).toEqual([
    ...[update, "@@", "-one", "-", "-two", "+1", "+"],
  ]);
  expect(change("*** Add File: a.txt", "", "\n")).toEqual(["*** Add File: a.txt", "+"]);
  expect(change(`${update}\n@@\n`, "", "1\n")).toEqual([update, "@@", "+1"]);
  expect(change(`${update}\n@@\n+x\n*** Add File: b.txt`, "one\n", "1\n")).toBeUndefined();
  expect(change(update, "one\n", "1")).toBeUndefined();
  expect(change("apply_patch <<EOF", "one\n", "1\n")).toBeUndefined();
});
