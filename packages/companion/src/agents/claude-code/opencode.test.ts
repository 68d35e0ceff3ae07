import { expect, test } from "vitest";
import { opencodeHooks } from "../opencode-hooks.ts";

/** Command lines as a system lists them. */
test.each([
  ["opencode", true],
  ["/usr/bin/opencode /home/a/project --model x/run", true],
  ["opencode --model x --continue", true],
  ["opencode run Change it", false],
  ["opencode --print-logs serve", false],
])("a user sits at the terminal of %s: %s", (command, isAttended) => {
  const cli = { pid: 1, command, hasTerminal: true };
  expect(opencodeHooks.ask.isAttended(cli, {})).toBe(isAttended);
  expect(opencodeHooks.ask.isAttended({ ...cli, hasTerminal: false }, {})).toBe(false);
});
